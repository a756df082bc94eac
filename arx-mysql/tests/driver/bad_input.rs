//! What cannot be written is refused by its row, and nothing of it stays.

use arx::{Database, Entity, Error, ErrorKind, Record};
use chrono::{NaiveDate, NaiveDateTime};
use sqlx::{ConnectOptions as _, Executor as _};

use crate::{Fixture, on_each};

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "notes")]
struct Note {
    #[arx(key)]
    id: i64,
    #[arx(column = "te_xt")]
    text: String,
    // Text, so that a day that is none can be sent.
    day: String,
}

async fn notes(fixture: &Fixture, text: &str) -> Vec<Note> {
    fixture.run(&format!("CREATE TABLE notes (id BIGINT PRIMARY KEY, te_xt {text}, day DATE)")).await;
    (0..600).map(|id| Note { id, text: format!("x{id}"), day: "2020-02-29".to_owned() }).collect()
}

/// Nothing is stored, and rows can be written and removed again.
async fn assert_untouched(db: &Database) {
    let notes = db.repository::<Note>();
    assert_eq!(notes.count(()).await.unwrap(), 0);
    notes.create(&Note { id: 1, text: "y".to_owned(), day: "2020-01-01".to_owned() }).await.unwrap();
    assert!(notes.delete(1).await.unwrap());
}

fn places(error: &Error) -> Vec<usize> {
    error.rows().iter().map(|row| row.index()).collect()
}

#[test]
fn a_text_that_is_too_long_is_named() {
    on_each("long", async |fixture| {
        let mut rows = notes(&fixture, "VARCHAR(5)").await;
        rows[432].text = "secret".to_owned();
        let notes = fixture.db.repository::<Note>();
        let error = notes.create_multiple(&rows).await.unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::ValueRejected, Some("Note.text")));
        assert!(!format!("{error} {error:?}").contains("secret"));
        assert_untouched(&fixture.db).await;
        let error = notes.create_multiple(&rows).find_failing_row().await.unwrap_err();
        assert_eq!((error.column(), places(&error)), (Some("Note.text"), vec![432]));
        assert_untouched(&fixture.db).await;
        rows[432].text.clear();
        notes.create_multiple(&rows).await.unwrap();
        rows[77].text = "secret".to_owned();
        let error = notes.update_multiple(&rows).find_failing_row().await.unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::ValueRejected, Some("Note.text")), "{error:?}");
        assert_eq!(places(&error), [77]);
        assert_eq!(notes.count(Note::TEXT.eq("x77")).await.unwrap(), 1);
    });
}

#[test]
fn a_date_that_is_none_is_named() {
    on_each("no_date", async |fixture| {
        let rows = notes(&fixture, "VARCHAR(5)").await;
        for day in ["2021-02-29", "0000-00-00", "2021-00-01", "yesterday", ""] {
            let mut rows = rows.clone();
            rows[301].day = day.to_owned();
            let error = fixture.db.repository::<Note>().create_multiple(&rows).find_failing_row().await.unwrap_err();
            assert_eq!((error.kind(), error.column()), (ErrorKind::ValueRejected, Some("Note.day")), "{day}");
            assert_eq!(places(&error), [301], "{day}");
            assert_untouched(&fixture.db).await;
        }
    });
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "zeros")]
struct Zero {
    #[arx(key)]
    id: i64,
    day: Option<NaiveDate>,
    at: Option<NaiveDateTime>,
}

#[test]
fn a_zero_date_of_a_lax_session_is_not_read_as_another_day() {
    on_each("zero_date", async |fixture| {
        fixture.run("CREATE TABLE zeros (id BIGINT PRIMARY KEY, day DATE, at DATETIME(6))").await;
        let mut lax = fixture.options.connect().await.unwrap();
        lax.execute("SET sql_mode = ''").await.unwrap();
        lax.execute("INSERT INTO zeros VALUES (1, '0000-00-00', NULL), (2, '2020-00-00', NULL), (3, NULL, '0000-00-00 00:00:00'), (4, '2020-02-29', NULL)")
            .await
            .unwrap();
        let zeros = fixture.db.repository::<Zero>();
        for (key, column) in [(1, "Zero.day"), (2, "Zero.day"), (3, "Zero.at")] {
            let error = zeros.retrieve(key).await.unwrap_err();
            assert_eq!((error.kind(), error.column()), (ErrorKind::Decode, Some(column)), "{key}");
            let error = zeros.retrieve_multiple(()).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Decode);
        }
        assert_eq!(zeros.retrieve(4).await.unwrap().unwrap().day, NaiveDate::from_ymd_opt(2020, 2, 29));
    });
}

#[test]
fn a_row_that_is_larger_than_a_packet_is_named_before_it_is_sent() {
    on_each("large_row", async |fixture| {
        let mut rows = notes(&fixture, "LONGTEXT").await;
        let limit: usize = fixture.text("SELECT CAST(@@max_allowed_packet AS CHAR)").await.parse().unwrap();
        rows[345].text = "x".repeat(limit);
        let notes = fixture.db.repository::<Note>();
        let check = |error: Error, place: usize| {
            assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Note.text")), "{error}");
            assert_eq!(places(&error), [place]);
            let numbers: Vec<usize> = error
                .to_string()
                .split(|letter: char| !letter.is_ascii_digit())
                .filter_map(|n| n.parse().ok())
                .collect();
            // Its size, and what one statement takes: a little less than the packet.
            assert!(numbers.iter().any(|size| (limit..limit + 100).contains(size)), "{error}");
            assert!(numbers.iter().any(|size| (limit - (1 << 20)..limit).contains(size)), "{error}");
        };
        check(notes.create_multiple(&rows).await.unwrap_err(), 345);
        check(notes.create(&rows[345]).await.map(drop).unwrap_err(), 0);
        assert_untouched(&fixture.db).await;
        // As large as it may be.
        rows[345].text.truncate(limit - (1 << 20));
        notes.create_multiple(&rows).await.unwrap();
        let length = fixture.text("SELECT CAST(LENGTH(te_xt) AS CHAR) FROM notes WHERE id = 345").await;
        assert_eq!(length, (limit - (1 << 20)).to_string());
    });
}

/// Ends the session that runs an insert into `notes`, as soon as there is one.
async fn kill_insert(fixture: &Fixture) {
    #[derive(Record)]
    struct Session {
        id: u64,
    }
    let sql = "SELECT CAST(id AS UNSIGNED) FROM information_schema.processlist \
               WHERE db = DATABASE() AND info LIKE 'INSERT INTO `notes`%'";
    loop {
        if let [session] = fixture.db.query::<Session>(sql, ()).await.unwrap().as_slice() {
            fixture.run(&format!("KILL {}", session.id)).await;
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

#[test]
fn a_connection_that_is_killed_in_a_batch_keeps_nothing_of_it() {
    on_each("killed_batch", async |fixture| {
        let rows = notes(&fixture, "VARCHAR(5)").await;
        // The second statement of the batch waits for this row.
        let holder = fixture.db.begin().await.unwrap();
        holder.repository::<Note>().create(&rows[500]).await.unwrap();
        let notes = fixture.db.repository::<Note>();
        let (outcome, ()) = tokio::join!(notes.create_multiple(&rows).into_future(), kill_insert(&fixture));
        let error = outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionLost, "{error:?}");
        holder.rollback().await.unwrap();
        for _ in 0..8 {
            assert_untouched(&fixture.db).await;
        }
    });
}
