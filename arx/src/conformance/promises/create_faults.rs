//! Rows that the database refuses in the middle of a batch: nothing of it stays.

use super::support::{assert_error, named, stored};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::error::RowReason;
use crate::{Entity, ErrorKind};

cases! {
    a_unique_violation_in_the_middle_leaves_nothing: [2, 8, 13] [];
    a_foreign_key_violation_in_the_middle_leaves_nothing: [2, 8, 13] [];
    a_not_null_violation_in_the_middle_leaves_nothing: [2, 8, 13] [];
    a_check_violation_in_the_middle_leaves_nothing: [2, 8, 13] [];
    two_equal_rows_of_one_batch_leave_nothing: [2, 8] [];
    a_refused_update_in_the_middle_leaves_nothing: [2, 8, 13] [];
    a_refused_row_of_a_batch_with_defaults_leaves_nothing: [2, 8] [];
    a_single_refused_row_leaves_a_transaction_that_can_be_rolled_back: [2, 13] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "owners")]
struct Owner {
    #[arx(key)]
    id: i64,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "accounts")]
struct Account {
    #[arx(key, generated)]
    id: i64,
    #[arx(unique)]
    code: String,
    owner: i64,
    note: Option<String>,
    amount: i32,
}

/// Makes a row that the database refuses.
type Spoil = fn(&mut Account);

const ROWS: i32 = 10_000;
const BAD: usize = 6_543;

fn account(number: i32) -> Account {
    Account { id: 0, code: format!("secret{number}"), owner: 1, note: Some("secret note".to_owned()), amount: number }
}

async fn create_tables(context: &Context<'_>) {
    context.create_table::<Owner>().await;
    let quote = |name: &str| context.backend.quote(name);
    let [name, owner, owners, id] = ["account_owner", "owner", "owners", "id"].map(quote);
    let references = format!("CONSTRAINT {name} FOREIGN KEY ({owner}) REFERENCES {owners} ({id})");
    let check = format!("CONSTRAINT {} CHECK ({} < 1000000)", quote("amount_is_small"), quote("amount"));
    context.create_table_with::<Account>(&[("note", "NOT NULL")], &[&references, &check]).await;
    context.repository::<Owner>().create(&Owner { id: 1 }).await.unwrap();
    context.repository::<Account>().create(&Account { code: "taken".to_owned(), ..account(0) }).await.unwrap();
}

/// Creates rows of which one is refused: outside a transaction, in one, and with a search.
async fn refuse(context: &Context<'_>, kind: ErrorKind, spoil: Spoil) -> crate::Error {
    create_tables(context).await;
    let alone = context.another(1).await;
    let accounts = alone.repository::<Account>();
    let mut rows: Vec<_> = (0..ROWS).map(account).collect();
    spoil(&mut rows[BAD]);
    let before = rows.clone();

    let error = accounts.create_multiple(&mut rows).await.unwrap_err();
    assert_error(&error, kind, &["secret", "taken", "7654321"]);
    assert!(error.to_string().starts_with("insert into accounts: "), "{error}");
    assert!(error.rows().is_empty() || named(&error) == [BAD]);
    assert_eq!(rows, before);
    assert_eq!(stored::<Account>(&alone).await, 1);
    accounts.create(&Account { code: "usable".to_owned(), ..account(1) }).await.unwrap();

    let found = accounts.create_multiple(&rows).find_failing_row().await.unwrap_err();
    assert_error(&found, kind, &["secret", "taken", "7654321"]);
    assert_eq!((named(&found), found.rows()[0].reason()), (vec![BAD], RowReason::Refused));
    assert_eq!(found.constraint(), error.constraint());
    assert_eq!(stored::<Account>(&alone).await, 2);

    refuse_in_transaction(&alone, kind, &mut rows).await;
    assert_eq!(rows, before);
    assert_eq!(stored::<Account>(&alone).await, 4);
    rows.remove(BAD);
    assert_eq!(accounts.create_multiple(&rows).without_keys().await.unwrap(), u64::try_from(ROWS - 1).unwrap());
    error
}

async fn refuse_in_transaction(db: &crate::Database, kind: ErrorKind, rows: &mut [Account]) {
    let tx = db.begin().await.unwrap();
    let accounts = tx.repository::<Account>();
    accounts.create(&Account { code: "before".to_owned(), ..account(1) }).await.unwrap();
    let error = accounts.create_multiple(&mut *rows).await.unwrap_err();
    assert_error(&error, kind, &["secret"]);
    let error = accounts.create_multiple(&*rows).without_keys().find_failing_row().await.unwrap_err();
    assert_eq!(named(&error), [BAD]);
    assert_eq!(accounts.count(()).await.unwrap(), 3);
    accounts.create(&Account { code: "after".to_owned(), ..account(1) }).await.unwrap();
    tx.commit().await.unwrap();
}

async fn a_unique_violation_in_the_middle_leaves_nothing(context: &Context<'_>) {
    let error = refuse(context, ErrorKind::UniqueViolation, |row| row.code = "taken".to_owned()).await;
    assert!(error.is_unique_violation());
    assert_eq!(error.table(), Some("accounts"));
    assert!(error.constraint().is_some_and(|constraint| constraint.contains("code")), "{:?}", error.constraint());
}

async fn a_foreign_key_violation_in_the_middle_leaves_nothing(context: &Context<'_>) {
    let error = refuse(context, ErrorKind::ForeignKeyViolation, |row| row.owner = 7_654_321).await;
    assert!(error.is_foreign_key_violation());
    // SQLite does not say which foreign key it was.
    assert!(context.is_in_process() || error.constraint().is_some_and(|constraint| constraint.contains("owner")));
}

async fn a_not_null_violation_in_the_middle_leaves_nothing(context: &Context<'_>) {
    let error = refuse(context, ErrorKind::NotNullViolation, |row| row.note = None).await;
    assert_eq!((error.table(), error.column()), (Some("accounts"), Some("Account.note")));
}

async fn a_check_violation_in_the_middle_leaves_nothing(context: &Context<'_>) {
    let error = refuse(context, ErrorKind::CheckViolation, |row| row.amount = 7_654_321).await;
    assert_eq!(error.constraint(), Some("amount_is_small"));
}

async fn two_equal_rows_of_one_batch_leave_nothing(context: &Context<'_>) {
    create_tables(context).await;
    let accounts = context.repository::<Account>();
    let mut rows: Vec<_> = (0..100).map(account).collect();
    rows[70].code = rows[20].code.clone();
    let error = accounts.create_multiple(&rows).find_failing_row().await.unwrap_err();
    assert_error(&error, ErrorKind::UniqueViolation, &["secret"]);
    assert_eq!(named(&error), [70]);
    let mut rows: Vec<_> =
        (0..100).map(|number| Account { id: 1_000 + i64::from(number), ..account(number) }).collect();
    rows[99].id = 1_000;
    let error = accounts.create_multiple(&rows).with_keys().returning().find_failing_row().await.unwrap_err();
    assert_error(&error, ErrorKind::UniqueViolation, &["secret"]);
    assert_eq!(named(&error), [99]);
    assert_eq!(stored::<Account>(&context.db).await, 1);
}

async fn a_refused_update_in_the_middle_leaves_nothing(context: &Context<'_>) {
    create_tables(context).await;
    let alone = context.another(1).await;
    let accounts = alone.repository::<Account>();
    let mut rows: Vec<_> = (0..2_000).map(account).collect();
    accounts.create_multiple(&mut rows).await.unwrap();
    let before = rows.clone();
    let kinds: [(ErrorKind, Spoil); 4] = [
        (ErrorKind::UniqueViolation, |row| row.code = "taken".to_owned()),
        (ErrorKind::ForeignKeyViolation, |row| row.owner = 7_654_321),
        (ErrorKind::NotNullViolation, |row| row.note = None),
        (ErrorKind::CheckViolation, |row| row.amount = 7_654_321),
    ];
    for (kind, spoil) in kinds {
        let mut changed = before.clone();
        changed.iter_mut().for_each(|row| row.amount += 1);
        spoil(&mut changed[1_234]);
        let sent = changed.clone();
        let error = accounts.update_multiple(&mut changed).await.unwrap_err();
        assert_error(&error, kind, &["secret", "taken", "7654321"]);
        let error = accounts.update_multiple(&changed).find_failing_row().await.unwrap_err();
        assert_eq!((error.kind(), named(&error)), (kind, vec![1_234]));
        assert_eq!(changed, sent);
        // The same with rows that are not in the order of their keys.
        changed.reverse();
        let error = accounts.update_multiple(&changed).find_failing_row().await.unwrap_err();
        assert_eq!((error.kind(), named(&error)), (kind, vec![1_999 - 1_234]));
        let keys: Vec<_> = before.iter().map(|row| row.id).collect();
        let stored: Vec<_> = accounts.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().collect();
        assert!(stored == before, "{kind:?} has changed rows");
    }
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "ranked")]
struct Ranked {
    #[arx(key, generated)]
    id: i64,
    #[arx(unique)]
    code: i32,
    rank: crate::Field<i32>,
}

async fn a_refused_row_of_a_batch_with_defaults_leaves_nothing(context: &Context<'_>) {
    use crate::Field;
    context.create_table_with::<Ranked>(&[("rank", "DEFAULT 1")], &[]).await;
    let repository = context.repository::<Ranked>();
    let row = |code: i32| Ranked { id: 0, code, rank: if code % 2 == 0 { Field::Default } else { Field::Set(code) } };
    let mut rows: Vec<_> = (0..1_000).map(row).collect();
    for bad in [0, 1, 501, 998, 999] {
        rows[bad].code = 5_000;
        repository.create(&row(5_000)).await.unwrap();
        let before = rows.clone();
        let error = repository.create_multiple(&mut rows).find_failing_row().await.unwrap_err();
        assert_eq!((error.kind(), named(&error)), (ErrorKind::UniqueViolation, vec![bad]));
        assert_eq!(rows, before);
        assert_eq!(stored::<Ranked>(&context.db).await, 1);
        let stored = repository.retrieve_multiple(()).first().await.unwrap().unwrap();
        assert!(repository.delete(stored.id).await.unwrap());
        rows[bad] = row(i32::try_from(bad).unwrap());
    }
}

async fn a_single_refused_row_leaves_a_transaction_that_can_be_rolled_back(context: &Context<'_>) {
    create_tables(context).await;
    let alone = context.another(1).await;
    let tx = alone.begin().await.unwrap();
    let accounts = tx.repository::<Account>();
    accounts.create(&account(1)).await.unwrap();
    let error = accounts.create(&account(1)).await.unwrap_err();
    assert_error(&error, ErrorKind::UniqueViolation, &["secret"]);
    tx.rollback().await.unwrap();
    assert_eq!(stored::<Account>(&alone).await, 1);
    alone.repository::<Account>().create(&account(1)).await.unwrap();
}
