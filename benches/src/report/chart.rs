//! Charts of ratios as SVG: a line a row, its name to the left, its number to the right, so that nothing is told by
//! colour alone.

use anyhow::{Result, anyhow};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::statistics::Estimate;

/// One line of a chart.
pub(super) struct Bar {
    /// What it is.
    pub(super) label: String,
    /// Its ratio and interval.
    pub(super) ratio: Estimate,
}

const WIDTH: i32 = 960;
const ROW: i32 = 26;
const LEFT: i32 = 330;
const RIGHT: i32 = 210;
const TOP: i32 = 46;
const BOTTOM: i32 = 56;

/// A chart of ratios on a logarithmic scale: a dot for the median, a line for the interval, a rule at 1.
///
/// # Errors
/// When nothing can be drawn.
pub(super) fn ratios(title: &str, axis: &str, bars: &[Bar]) -> Result<String> {
    let mut svg = String::new();
    let height = TOP + BOTTOM + ROW * i32::try_from(bars.len())?;
    {
        let size = (WIDTH.unsigned_abs(), height.unsigned_abs());
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        draw(&area, title, axis, bars).map_err(|error| anyhow!("drawing {title}: {error}"))?;
        area.present().map_err(|error| anyhow!("drawing {title}: {error}"))?;
    }
    Ok(svg)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Where ratios are on the axis.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// Powers of two around all values, and 1.
    fn of(bars: &[Bar]) -> Self {
        let known = bars.iter().flat_map(|bar| [bar.ratio.low, bar.ratio.high]).filter(|value| *value > 0.0);
        let (low, high) = known.fold((1.0_f64, 1.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        Self { low: low.log2().floor().clamp(-7.0, -1.0), high: high.log2().ceil().clamp(1.0, 7.0) }
    }

    fn place(&self, ratio: f64) -> i32 {
        let share = (ratio.max(1e-6).log2().clamp(self.low, self.high) - self.low) / (self.high - self.low);
        #[allow(clippy::cast_possible_truncation, reason = "pixels of a chart less than a thousand wide")]
        let offset = (share * f64::from(WIDTH - LEFT - RIGHT)).round() as i32;
        LEFT + offset
    }

    /// The powers of two on it, with their names.
    fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let (low, high) = (self.low, self.high);
        (-7_i32..=7).filter(move |&power| f64::from(power) >= low && f64::from(power) <= high).map(|power| {
            let name = if power < 0 { format!("1/{}", 1 << -power) } else { format!("{}", 1 << power) };
            (2.0_f64.powi(power), name)
        })
    }
}

/// Plotters' sizes are those of letters with their gap: an SVG's font is smaller by this.
const FONT: f64 = 1.24;

fn text(area: &Area<'_>, words: &str, place: (i32, i32), size: f64, anchor: (HPos, VPos)) -> Drawn {
    let style = ("sans-serif", size * FONT).into_font().color(&BLACK).pos(Pos::new(anchor.0, anchor.1));
    area.draw_text(words, &style, place)
}

fn line(area: &Area<'_>, from: (i32, i32), to: (i32, i32), colour: RGBColor, width: u32) -> Drawn {
    area.draw(&PathElement::new(vec![from, to], colour.stroke_width(width)))
}

fn draw(area: &Area<'_>, title: &str, axis: &str, bars: &[Bar]) -> Drawn {
    const RULE: RGBColor = RGBColor(205, 205, 205);
    let scale = Scale::of(bars);
    let end = TOP + ROW * i32::try_from(bars.len()).unwrap_or(0);
    area.fill(&WHITE)?;
    text(area, title, (12, 10), 17.0, (HPos::Left, VPos::Top))?;
    for (value, name) in scale.ticks() {
        let x = scale.place(value);
        let (colour, width) = if name == "1" { (BLACK, 2) } else { (RULE, 1) };
        line(area, (x, TOP), (x, end), colour, width)?;
        text(area, &name, (x, end + 6), 13.0, (HPos::Center, VPos::Top))?;
    }
    text(area, axis, (i32::midpoint(LEFT, WIDTH - RIGHT), end + 30), 13.0, (HPos::Center, VPos::Top))?;
    let rows = (0..).map(|row| TOP + ROW * row + ROW / 2);
    for (y, Bar { label, ratio }) in rows.zip(bars) {
        text(area, label, (LEFT - 12, y), 14.0, (HPos::Right, VPos::Center))?;
        line(area, (scale.place(ratio.low), y), (scale.place(ratio.high), y), RGBColor(90, 90, 90), 3)?;
        area.draw(&Circle::new((scale.place(ratio.median), y), 5, BLACK.filled()))?;
        let number = format!("{:.2}  ({:.2} to {:.2})", ratio.median, ratio.low, ratio.high);
        text(area, &number, (WIDTH - RIGHT + 14, y), 14.0, (HPos::Left, VPos::Center))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_names_numbers_and_units() {
        let ratio = Estimate { median: 0.5, low: 0.4, high: 3.0 };
        let svg = ratios("Title", "time of arx / time of the rival", &[Bar { label: "x".to_owned(), ratio }]).unwrap();
        for part in ["Title", "time of arx", "\n1/4\n", "\n4\n", "0.50  (0.40 to 3.00)"] {
            assert!(svg.contains(part), "{part} is not in {svg}");
        }
    }

    #[test]
    fn a_scale_holds_all_values_and_one() {
        let ratio = Estimate { median: 3.0, low: 2.9, high: 3.1 };
        let scale = Scale::of(&[Bar { label: String::new(), ratio }]);
        assert_eq!((scale.low, scale.high), (-1.0, 2.0));
        assert_eq!(scale.place(4.0), WIDTH - RIGHT);
    }
}
