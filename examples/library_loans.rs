//! A lending library: members borrow books, and every rule that is broken is an error that leaves nothing behind.
//!
//! `cargo run --release --example library_loans -- [--database URL]`

use arx::prelude::*;
use arx_examples::{argument, generated_key, open};
use chrono::{DateTime, Utc};

#[derive(Scalar, Clone, Copy, Debug, PartialEq)]
#[arx(rename_all = "snake_case")]
enum State {
    Lent,
    Returned,
    Overdue,
}

#[derive(Entity, Clone, Debug)]
#[arx(table = "library_members")]
struct Member {
    #[arx(key, generated)]
    id: i64,
    #[arx(unique)]
    code: String,
    name: String,
    #[arx(soft_delete)]
    left_at: Option<DateTime<Utc>>,
}

#[derive(Entity, Clone, Debug)]
#[arx(table = "library_books")]
struct Book {
    #[arx(key, generated)]
    id: i64,
    #[arx(unique)]
    code: String,
    title: String,
    copies: i32,
    #[arx(version)]
    version: i32,
}

#[derive(Entity, Clone, Debug)]
#[arx(table = "library_loans")]
struct Loan {
    #[arx(key, generated)]
    id: i64,
    member: i64,
    book: i64,
    days: i32,
    state: State,
}

/// What the shelf list shows of a book.
#[derive(Record, Debug, PartialEq)]
struct Shelf {
    title: String,
    copies: i32,
}

/// Lends a book inside the transaction of the caller, who drops it when this is an error.
async fn lend(tx: &Tx<'_>, member: &Member, code: &str) -> Result<i64, Error> {
    let books = tx.repository::<Book>();
    let found = books.retrieve_multiple(Book::CODE.eq(code)).first().await?;
    let mut book = found.ok_or_else(|| Error::new(ErrorKind::NotFound, "no such book"))?;
    let loan = Loan { id: 0, member: member.id, book: book.id, days: 0, state: State::Lent };
    let id = tx.repository::<Loan>().create(&loan).await?;
    if book.copies == 0 {
        return Err(Error::new(ErrorKind::InvalidInput, "every copy is lent"));
    }
    book.copies -= 1;
    books.update(&mut book).await?;
    Ok(id)
}

async fn tables(db: &Database, url: &str) -> Result<(), Error> {
    let key = generated_key(url);
    let instant = match url.split(':').next() {
        Some("sqlite") => "TEXT",
        Some("mysql" | "mariadb") => "DATETIME(6)",
        _ => "TIMESTAMPTZ",
    };
    drop_tables(db).await?;
    let members = format!("id {key}, code VARCHAR(20) NOT NULL UNIQUE, name TEXT NOT NULL, left_at {instant}");
    db.run(&format!("CREATE TABLE library_members ({members})"), ()).await?;
    let books = format!(
        "id {key}, code VARCHAR(20) NOT NULL UNIQUE, title TEXT NOT NULL, copies INT NOT NULL, version INT NOT NULL"
    );
    db.run(&format!("CREATE TABLE library_books ({books})"), ()).await?;
    let loans = format!(
        "id {key}, member BIGINT NOT NULL REFERENCES library_members (id), book BIGINT NOT NULL REFERENCES library_books (id),
         days INT NOT NULL, state TEXT NOT NULL"
    );
    db.run(&format!("CREATE TABLE library_loans ({loans})"), ()).await?;
    Ok(())
}

async fn drop_tables(db: &Database) -> Result<(), Error> {
    for table in ["library_loans", "library_books", "library_members"] {
        db.run(&format!("DROP TABLE IF EXISTS {table}"), ()).await?;
    }
    Ok(())
}

/// Says what was done, and is an error when it was not so.
fn check(holds: bool, claim: &'static str) -> Result<(), Error> {
    match holds {
        true => println!("ok: {claim}"),
        false => return Err(Error::new(ErrorKind::InvalidInput, claim)),
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let url = argument("--database").unwrap_or_else(|| "sqlite::memory:".to_owned());
    let db = open(&url).await?;
    tables(&db, &url).await?;
    let (members, books, loans) = (db.repository::<Member>(), db.repository::<Book>(), db.repository::<Loan>());

    let mut ada = Member { id: 0, code: "M1".into(), name: "Ada".into(), left_at: None };
    members.create(&mut ada).await?;
    let again = members.create(&Member { name: "Bob".into(), ..ada.clone() }).await;
    check(again.is_err_and(|error| error.is_unique_violation()), "a member's code is given once")?;

    let book = |(code, title, copies): (&str, &str, i32)| {
        let (code, title) = (code.to_owned(), title.to_owned());
        Book { id: 0, code, title, copies, version: 0 }
    };
    let mut shelf = [("B1", "Emma", 1), ("B2", "Dune", 3), ("B3", "Ulysses", 2)].map(book);
    books.create_multiple(&mut shelf).await?;
    check(shelf.iter().all(|book| book.id > 0 && book.version == 1), "keys and versions are written back")?;

    let tx = db.begin().await?;
    lend(&tx, &ada, "B1").await?;
    lend(&tx, &ada, "B2").await?;
    tx.commit().await?;
    let tx = db.begin().await?;
    let refused = lend(&tx, &ada, "B1").await;
    tx.rollback().await?;
    check(refused.is_err() && loans.count(()).await? == 2, "the loan of a book that is out is rolled back")?;

    // `shelf` was read before the loan of Emma: its version is stale, so read again and repeat.
    shelf[0].title = "Emma, a novel".into();
    let stale = books.update(&mut shelf[0]).await;
    check(stale.is_err_and(|error| error.is_stale_version()), "a stale book is not overwritten")?;
    let mut emma = books.retrieve(shelf[0].id).await?.ok_or_else(|| Error::new(ErrorKind::NotFound, "no Emma"))?;
    emma.title.clone_from(&shelf[0].title);
    books.update(&mut emma).await?;
    check(emma.version == 3 && emma.copies == 0, "read again, it is changed and keeps the loan")?;

    let filter = Book::COPIES.gt(0) & !Book::TITLE.starts_with("U");
    let free = books.retrieve_multiple(filter).order_by(Book::TITLE.asc()).limit(2).select::<Shelf>().await?;
    check(free == [Shelf { title: "Dune".into(), copies: 2 }], "the shelf list has what is free")?;

    let mut lent = loans.retrieve_multiple(Loan::STATE.eq(State::Lent)).order_by(Loan::ID.asc()).await?;
    for (loan, days) in lent.iter_mut().zip([40, 2]) {
        loan.days = days;
        loan.state = if days > 30 { State::Overdue } else { State::Returned };
    }
    let done = loans.update_multiple(&lent).columns((Loan::DAYS, Loan::STATE)).require_all().await?;
    let overdue = loans.count(Loan::STATE.eq(State::Overdue)).await?;
    check(done.matched == 2 && overdue == 1, "one loan is overdue, one returned")?;

    members.delete(ada.id).await?;
    let marked = members.retrieve(ada.id).with_deleted().await?.is_some_and(|member| member.left_at.is_some());
    check(marked && members.retrieve(ada.id).await?.is_none(), "a member who left is hidden, not gone")?;
    drop_tables(&db).await
}
