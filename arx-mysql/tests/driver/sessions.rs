//! Sessions are as arx needs them, whoever made them.

use arx::{Entity, ErrorKind, Record};
use chrono::{DateTime, Utc};
use sqlx::Executor as _;
use sqlx::mysql::MySqlPoolOptions;

use crate::on_each;

#[derive(Record, Debug)]
struct Settings {
    zone: String,
    mode: String,
    names: String,
}

#[derive(Record)]
struct Status {
    name: String,
    value: String,
}

const SETTINGS: &str = "SELECT @@time_zone, @@sql_mode, @@character_set_results";

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "notes")]
struct Note {
    #[arx(key, generated)]
    id: i32,
    text: String,
    at: DateTime<Utc>,
}

const TABLE: &str = "CREATE TABLE notes (id INT AUTO_INCREMENT PRIMARY KEY, text VARCHAR(5), at TIMESTAMP(6))";

#[test]
fn a_pool_with_other_sessions_is_set_right() {
    on_each("foreign", async |fixture| {
        fixture.run(TABLE).await;
        let spoil = "SET time_zone = '+07:00', sql_mode = 'PAD_CHAR_TO_FULL_LENGTH,NO_BACKSLASH_ESCAPES', NAMES latin1, autocommit = 0";
        let pool = MySqlPoolOptions::new()
            .max_connections(1)
            .after_connect(move |link, _| Box::pin(async move { link.execute(spoil).await.map(drop) }))
            .connect_lazy_with(fixture.options.clone());
        let db = arx_mysql::from_pool(pool.clone());
        for round in 0..2 {
            let found: Vec<Settings> = db.query(SETTINGS, ()).await.unwrap();
            assert_eq!((found[0].zone.as_str(), found[0].names.as_str()), ("+00:00", "utf8mb4"));
            assert!(found[0].mode.contains("STRICT_ALL_TABLES") && !found[0].mode.contains("PAD_CHAR"), "{found:?}");
            let at = DateTime::from_timestamp_micros(1_577_934_245_678_901).unwrap();
            let notes = db.repository::<Note>();
            let key = notes.create(&Note { id: 0, text: "😀ä".to_owned(), at }).await.unwrap();
            assert_eq!(notes.retrieve(key).await.unwrap(), Some(Note { id: key, text: "😀ä".to_owned(), at }));
            assert_eq!(notes.count(Note::TEXT.contains(r"\")).await.unwrap(), 0);
            let error = notes.create(&Note { id: 0, text: "too long".to_owned(), at }).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ValueRejected);
            // The application changes it again between two calls.
            if round == 0 {
                pool.acquire().await.unwrap().execute(spoil).await.unwrap();
            }
        }
    });
}

#[test]
fn a_pool_asks_its_server_once() {
    on_each("probed", async |fixture| {
        let pool = MySqlPoolOptions::new().max_connections(4).connect_lazy_with(fixture.options.clone());
        let db = arx_mysql::from_pool(pool);
        let mut open = Vec::new();
        for _ in 0..4 {
            open.push(db.begin().await.unwrap());
        }
        let mut asked = Vec::new();
        for tx in &open {
            let sql = "SHOW SESSION STATUS WHERE Variable_name = 'Com_show_variables'";
            let status = tx.query::<Status>(sql, ()).await.unwrap().remove(0);
            assert_eq!(status.name, "Com_show_variables");
            asked.push(status.value);
        }
        asked.sort_unstable();
        assert_eq!(asked, ["0", "0", "0", "1"]);
    });
}

#[test]
fn a_transaction_in_another_session_is_refused() {
    on_each("refused", async |fixture| {
        fixture.run(TABLE).await;
        let pool = MySqlPoolOptions::new().max_connections(1).connect_lazy_with(fixture.options.clone());
        let db = arx_mysql::from_pool(pool.clone());
        let mut transaction = pool.begin().await.unwrap();
        transaction.execute("SET time_zone = '+07:00'").await.unwrap();
        let error = arx_mysql::join(&db, &mut transaction).await.err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Configuration);
        assert!(error.to_string().contains("time_zone"), "{error}");
        // Nothing was changed, and the transaction can go on.
        let zone: String = sqlx::query_scalar("SELECT @@time_zone").fetch_one(&mut *transaction).await.unwrap();
        assert_eq!(zone, "+07:00");
    });
}

#[test]
fn a_given_key_of_zero_is_zero() {
    on_each("zero", async |fixture| {
        fixture.run(TABLE).await;
        let row = |id| Note { id, text: "x".to_owned(), at: DateTime::UNIX_EPOCH + chrono::TimeDelta::days(1) };
        let notes = fixture.db.repository::<Note>();
        assert_eq!(notes.create_multiple(&[row(7), row(0)]).with_keys().await.unwrap(), [7, 0]);
        assert!(notes.retrieve(0).await.unwrap().is_some());
        assert!(notes.create(&row(0)).await.unwrap() > 7);
    });
}

#[test]
fn wrong_addresses_and_passwords_say_so() {
    on_each("wrong", async |fixture| {
        let connect = |options| arx_mysql::Options::new(options).connect();
        let error = connect(fixture.options.clone().password("wrong")).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Authentication, "{error:?}");
        let error = connect(fixture.options.clone().database("not there")).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UndefinedObject, "{error:?}");
        let error = connect(fixture.options.clone().port(1)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionLost, "{error:?}");
        for url in ["postgres://localhost/x", "mysql://a b:c@:x/", "nothing"] {
            assert_eq!(arx_mysql::connect(url).await.unwrap_err().kind(), ErrorKind::Configuration, "{url}");
        }
    });
}
