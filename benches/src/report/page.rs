//! What a report says, before it is Markdown or HTML: headings, paragraphs, lists, tables, charts.

use std::fmt::Write;

/// A part of a report.
pub(super) enum Part {
    /// A heading of the second level.
    Heading(String),
    /// Prose.
    Paragraph(String),
    /// A list.
    List(Vec<String>),
    /// A table: its head, its rows; all but the first columns are numbers.
    Table(Vec<&'static str>, Vec<Vec<String>>),
    /// An SVG image, for HTML alone.
    Chart(String),
}

/// The parts as Markdown.
#[must_use]
pub(super) fn markdown(title: &str, parts: &[Part]) -> String {
    let mut text = format!("# {title}\n");
    for part in parts {
        // Writing to a string cannot fail.
        let _ = match part {
            Part::Heading(heading) => write!(text, "\n## {heading}\n"),
            Part::Paragraph(paragraph) => write!(text, "\n{paragraph}\n"),
            Part::List(items) => {
                text.push('\n');
                items.iter().try_for_each(|item| writeln!(text, "- {item}"))
            }
            Part::Table(head, rows) => {
                let rule: Vec<&str> = (0..head.len()).map(|column| if column == 0 { "---" } else { "--:" }).collect();
                let _ = write!(text, "\n| {} |\n|{}|\n", head.join(" | "), rule.join("|"));
                rows.iter().try_for_each(|row| writeln!(text, "| {} |", row.join(" | ")))
            }
            Part::Chart(_) => Ok(()),
        };
    }
    text
}

const STYLE: &str = "body { font: 15px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; \
    color: #111; background: #fff } h1, h2, h3 { line-height: 1.2 } table { border-collapse: collapse; margin: 1rem 0; \
    font-variant-numeric: tabular-nums } th, td { padding: .2rem .7rem; border-bottom: 1px solid #ccc; text-align: right \
    } th:first-child, td:first-child { text-align: left } th { border-bottom: 2px solid #111; vertical-align: bottom } \
    .wide { overflow-x: auto } svg { max-width: 100%; height: auto; display: block; margin: 1rem 0 }";

/// Reports as one page that needs nothing else.
#[must_use]
pub(super) fn html(title: &str, reports: &[(String, Vec<Part>)]) -> String {
    let title = escape(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    for (heading, parts) in reports {
        let _ = writeln!(page, "<h2>{}</h2>", escape(heading));
        parts.iter().for_each(|part| push_html(&mut page, part));
    }
    page.push_str("</body></html>\n");
    page
}

fn push_html(page: &mut String, part: &Part) {
    // Writing to a string cannot fail.
    let _ = match part {
        Part::Heading(heading) => writeln!(page, "<h3>{}</h3>", escape(heading)),
        Part::Paragraph(paragraph) => writeln!(page, "<p>{}</p>", escape(paragraph)),
        Part::List(items) => {
            let items: String = items.iter().map(|item| format!("<li>{}</li>", escape(item))).collect();
            writeln!(page, "<ul>{items}</ul>")
        }
        Part::Table(head, rows) => {
            let cells = |tag: &str, cells: Vec<String>| -> String {
                cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect()
            };
            let head = cells("th", head.iter().map(|&cell| cell.to_owned()).collect());
            let rows: String = rows.iter().map(|row| format!("<tr>{}</tr>\n", cells("td", row.clone()))).collect();
            writeln!(page, "<div class=\"wide\"><table><tr>{head}</tr>\n{rows}</table></div>")
        }
        Part::Chart(svg) => writeln!(page, "{svg}"),
    };
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace("**", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> Vec<Part> {
        vec![
            Part::Heading("A & B".to_owned()),
            Part::Table(vec!["name", "time"], vec![vec!["x".to_owned(), "1 us".to_owned()]]),
            Part::Chart("<svg/>".to_owned()),
        ]
    }

    #[test]
    fn writes_markdown() {
        let text = markdown("T", &parts());
        assert_eq!(text, "# T\n\n## A & B\n\n| name | time |\n|---|--:|\n| x | 1 us |\n");
    }

    #[test]
    fn writes_html_with_charts_and_escapes() {
        let page = html("T", &[("S".to_owned(), parts())]);
        assert!(page.contains("<h3>A &amp; B</h3>") && page.contains("<svg/>") && page.contains("<td>1 us</td>"));
    }
}
