//! Where a page by key has ended: the last row's place in the order, and which query it belongs to.

use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::entity::{ColumnSet, Entity, Table};
use crate::error::{Error, Result};
use crate::query::{Ordering, Predicate};
use crate::value::{Encoder, Literal, ScalarKind, Value};

/// The place after the last row of a page read by key. It belongs to the query that made it: to its table, its order
/// and its filter with the values in it.
///
/// It can be sent to a client and back as text. The text has the last row's values of the columns that the query is
/// ordered by, and of the key: who holds it can read them. Who changes it reads on from another place, of the same rows:
/// the filter does not come from the text. A program that was built from other sources may refuse it.
///
/// ```
/// # use arx::Entity;
/// # use arx::repository::{Cursor, KeysetPage};
/// # #[derive(Entity)]
/// # struct Customer { #[arx(key)] id: i64, name: String }
/// # async fn example(db: arx::Database, from_client: Option<&str>) -> arx::Result<()> {
/// let after = from_client.map(Cursor::from_text).transpose()?;
/// let customers = db.repository::<Customer>();
/// let page: KeysetPage<Customer> = customers.retrieve_multiple(()).order_by(Customer::NAME.asc()).keyset(50).after(after).await?;
/// let to_client = page.next.map(|next| next.to_text());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Cursor {
    query: u64,
    place: Arc<[u8]>,
}

impl Cursor {
    /// The place of this row.
    pub(super) fn at<E: Entity>(row: &E, query: u64, order: &[Ordering]) -> Result<Self> {
        let mut place = Bytes::default();
        order.iter().for_each(|ordering| row.encode_row(&ColumnSet::of(ordering.column), &mut place));
        match place.error {
            Some(error) => Err(error),
            None => Ok(Self { query, place: place.bytes.into() }),
        }
    }

    /// The values of the place, one for each column of the order.
    pub(super) fn values(&self, query: u64, table: &Table, order: &[Ordering]) -> Result<Vec<Literal<'static>>> {
        if self.query != query {
            let message = "the cursor belongs to another query; filter, values and order must be those that made it";
            return Err(Error::invalid_input(message));
        }
        let mut rest = &*self.place;
        let mut next = |ordering: &Ordering| literal(table.columns[ordering.column].kind, cut(&mut rest)?);
        let values: Option<Vec<_>> = order.iter().map(&mut next).collect();
        values.filter(|_| rest.is_empty()).ok_or_else(damaged)
    }

    /// The cursor as text of digits and letters, for a link or a form.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::with_capacity(16 + 2 * self.place.len());
        for byte in self.query.to_be_bytes().iter().chain(&*self.place) {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    /// The cursor of which this is the text.
    ///
    /// # Errors
    /// `InvalidInput` for any other text. Whether it belongs to the query shows when the page is read.
    pub fn from_text(text: &str) -> Result<Self> {
        let digits = text.as_bytes().chunks(2);
        let bytes = digits.map(|pair| match pair {
            [high, low] => Some(digit(*high)? * 16 + digit(*low)?),
            _ => None,
        });
        let bytes = bytes.collect::<Option<Vec<u8>>>().ok_or_else(damaged)?;
        let (query, place) = bytes.split_first_chunk().ok_or_else(damaged)?;
        Ok(Self { query: u64::from_be_bytes(*query), place: place.into() })
    }
}

// The place is values: the output shows nothing of it.
impl fmt::Debug for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cursor")
    }
}

fn damaged() -> Error {
    Error::invalid_input("this is not the text of a cursor, or not all of it")
}

fn digit(character: u8) -> Option<u8> {
    match character {
        b'0'..=b'9' => Some(character - b'0'),
        b'a'..=b'f' => Some(character - b'a' + 10),
        _ => None,
    }
}

/// What makes two queries the same: the names of the table, the order, the filter and its values. It is not a secret.
pub(super) fn fingerprint(
    table: &Table,
    (predicate, literals): (&Predicate, &[Literal<'_>]),
    with_deleted: bool,
    order: &[Ordering],
) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    (table.schema, table.name, predicate, with_deleted, order).hash(&mut hash);
    table.columns.iter().for_each(|column| column.name.hash(&mut hash));
    let mut values = Bytes::default();
    literals.iter().for_each(|literal| literal.encode(&mut values));
    hash.write(&values.bytes);
    hash.finish()
}

/// FNV-1a: the standard library's hasher may differ from one release to the next, and cursors outlive a process.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Values one after the other, each behind its length.
#[derive(Default)]
struct Bytes {
    bytes: Vec<u8>,
    error: Option<Error>,
}

impl Bytes {
    fn push(&mut self, value: &[u8]) {
        match u32::try_from(value.len()) {
            Ok(len) => {
                self.bytes.extend(len.to_le_bytes());
                self.bytes.extend(value);
            }
            Err(_) => self.fail(Error::encode("the value is longer than 4 GiB")),
        }
    }
}

impl Encoder for Bytes {
    fn value(&mut self, value: Value<'_>) {
        match value {
            // No value is so long.
            Value::Null(_) => self.bytes.extend(u32::MAX.to_le_bytes()),
            Value::Bool(value) => self.push(&[u8::from(value)]),
            Value::I8(value) => self.push(&value.to_le_bytes()),
            Value::I16(value) => self.push(&value.to_le_bytes()),
            Value::I32(value) | Value::Date(value) => self.push(&value.to_le_bytes()),
            Value::U8(value) => self.push(&value.to_le_bytes()),
            Value::U16(value) => self.push(&value.to_le_bytes()),
            Value::U32(value) => self.push(&value.to_le_bytes()),
            Value::U64(value) => self.push(&value.to_le_bytes()),
            Value::F32(value) => self.push(&value.to_le_bytes()),
            Value::F64(value) => self.push(&value.to_le_bytes()),
            Value::I64(value) | Value::Time(value) | Value::Timestamp(value) | Value::Timestamptz(value) => {
                self.push(&value.to_le_bytes());
            }
            Value::Decimal(text) | Value::Text(text) | Value::Json(text) => self.push(text.as_bytes()),
            Value::Bytes(bytes) => self.push(bytes),
            Value::Uuid(bytes) => self.push(&bytes),
            Value::Array(elements) => {
                self.push(&elements.len().to_le_bytes());
                if let Err(error) = elements.write(self) {
                    self.fail(error);
                }
            }
        }
    }

    fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }
}

/// The next value's bytes; `None` at NULL too, which no place has.
fn cut<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (len, after) = rest.split_first_chunk()?;
    let (value, after) = after.split_at_checked(usize::try_from(u32::from_le_bytes(*len)).ok()?)?;
    *rest = after;
    Some(value)
}

/// The value of this kind that has these bytes. They may come from anybody.
fn literal(kind: ScalarKind, bytes: &[u8]) -> Option<Literal<'static>> {
    let text = || String::from_utf8(bytes.to_vec()).ok();
    Some(Literal::Plain(match kind {
        ScalarKind::Bool => match bytes {
            [0] => Value::Bool(false),
            [1] => Value::Bool(true),
            _ => return None,
        },
        ScalarKind::I8 => Value::I8(i8::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::I16 => Value::I16(i16::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::I32 => Value::I32(i32::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::I64 => Value::I64(i64::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::U8 => Value::U8(u8::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::U16 => Value::U16(u16::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::U32 => Value::U32(u32::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::U64 => Value::U64(u64::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::F32 => Value::F32(f32::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::F64 => Value::F64(f64::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::Uuid => Value::Uuid(bytes.try_into().ok()?),
        ScalarKind::Date => Value::Date(i32::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::Time => Value::Time(i64::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::Timestamp => Value::Timestamp(i64::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::Timestamptz => Value::Timestamptz(i64::from_le_bytes(bytes.try_into().ok()?)),
        ScalarKind::Text => return Some(Literal::Text(text()?.into())),
        ScalarKind::Bytes => return Some(Literal::Bytes(bytes.to_vec().into())),
        ScalarKind::Decimal => return text().filter(|text| is_decimal(text)).map(|text| Literal::Decimal(text.into())),
        ScalarKind::Json | ScalarKind::Array(_) => return None,
    }))
}

/// Digits with an optional sign and point.
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, fraction].iter().all(|part| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit()))
}
