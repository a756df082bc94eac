//! What the server says, in the words of arx.

use arx::{Entity, ErrorKind};

use crate::on_each;

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "accounts")]
struct Account {
    #[arx(key)]
    id: i64,
    #[arx(column = "co_de")]
    code: Option<String>,
    amount: i32,
    #[arx(column = "own_er")]
    owner: Option<i64>,
}

const TABLE: &str = "CREATE TABLE accounts (id BIGINT PRIMARY KEY, co_de VARCHAR(5), amount INT NOT NULL, own_er BIGINT, \
    CONSTRAINT code_once UNIQUE (co_de), CONSTRAINT own FOREIGN KEY (own_er) REFERENCES accounts (id), \
    CONSTRAINT is_small CHECK (amount < 1000))";

fn account(id: i64) -> Account {
    Account { id, code: None, amount: 1, owner: None }
}

#[test]
fn constraints_and_columns_are_named() {
    on_each("errors", async |fixture| {
        fixture.run(TABLE).await;
        let accounts = fixture.db.repository::<Account>();
        let taken = Account { code: Some("for k".to_owned()), ..account(1) };
        accounts.create(&taken).await.unwrap();
        let refuse = async |row: Account| accounts.create_multiple(&[account(10), row]).await.unwrap_err();
        let error = refuse(Account { id: 2, ..taken.clone() }).await;
        assert_eq!((error.kind(), error.constraint()), (ErrorKind::UniqueViolation, Some("code_once")));
        assert_eq!(error.table(), Some("accounts"));
        let error = refuse(taken.clone()).await;
        assert_eq!((error.kind(), error.constraint()), (ErrorKind::UniqueViolation, Some("PRIMARY")));
        let error = refuse(Account { owner: Some(99), ..account(2) }).await;
        assert_eq!((error.kind(), error.constraint()), (ErrorKind::ForeignKeyViolation, Some("own")));
        let error = refuse(Account { amount: 5_000, ..account(2) }).await;
        assert_eq!((error.kind(), error.constraint()), (ErrorKind::CheckViolation, Some("is_small")));
        let error = refuse(Account { code: Some("longer".to_owned()), ..account(2) }).await;
        assert_eq!((error.kind(), error.column()), (ErrorKind::ValueRejected, Some("Account.code")));
        assert!(!error.to_string().contains("longer"));
        accounts.create(&Account { owner: Some(1), ..account(3) }).await.unwrap();
        let error = accounts.delete(1).await.unwrap_err();
        assert_eq!((error.kind(), error.constraint()), (ErrorKind::ForeignKeyViolation, Some("own")));
        fixture.run("ALTER TABLE accounts MODIFY amount TINYINT NOT NULL").await;
        let error = refuse(Account { amount: 500, ..account(2) }).await;
        assert_eq!((error.kind(), error.column()), (ErrorKind::ValueRejected, Some("Account.amount")));
        fixture.run("DROP TABLE accounts").await;
        assert_eq!(accounts.count(()).await.unwrap_err().kind(), ErrorKind::UndefinedObject);
    });
}

#[test]
fn a_lock_that_takes_too_long_may_be_tried_again() {
    on_each("locked", async |fixture| {
        fixture.run(TABLE).await;
        fixture.db.repository::<Account>().create(&account(1)).await.unwrap();
        let holder = fixture.db.begin().await.unwrap();
        holder.repository::<Account>().update(&Account { amount: 2, ..account(1) }).await.unwrap();
        let waiting = fixture.db.begin().await.unwrap();
        waiting.run("SET innodb_lock_wait_timeout = 1", ()).await.unwrap();
        let error = waiting.repository::<Account>().update(&Account { amount: 3, ..account(1) }).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Timeout);
        assert!(error.is_retryable());
        // What would run now might run outside of the transaction.
        let error = waiting.repository::<Account>().count(()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TransactionAborted);
        waiting.rollback().await.unwrap();
        holder.commit().await.unwrap();
        assert_eq!(fixture.db.repository::<Account>().retrieve(1).await.unwrap().unwrap().amount, 2);
    });
}

#[test]
fn a_deadlock_ends_the_transaction() {
    on_each("deadlock", async |fixture| {
        fixture.run(TABLE).await;
        let accounts = fixture.db.repository::<Account>();
        accounts.create_multiple(&[account(1), account(2)]).await.unwrap();
        let (one, two) = (fixture.db.begin().await.unwrap(), fixture.db.begin().await.unwrap());
        one.repository::<Account>().update(&Account { amount: 7, ..account(1) }).await.unwrap();
        two.repository::<Account>().update(&Account { amount: 7, ..account(2) }).await.unwrap();
        let (two_row, one_row) = (Account { amount: 8, ..account(2) }, Account { amount: 8, ..account(1) });
        let (one_repository, two_repository) = (one.repository::<Account>(), two.repository::<Account>());
        let (first, second) =
            tokio::join!(one_repository.update(&two_row).into_future(), two_repository.update(&one_row).into_future());
        let (lost, error) = match (first, second) {
            (Err(error), Ok(())) => (one, error),
            (Ok(()), Err(error)) => (two, error),
            other => panic!("{other:?}"),
        };
        assert_eq!(error.kind(), ErrorKind::Deadlock);
        // The server has rolled it back: nothing may run as if it were still open.
        let after = lost.repository::<Account>().create(&account(3)).await.unwrap_err();
        assert_eq!(after.kind(), ErrorKind::TransactionAborted);
        let after =
            lost.repository::<Account>().create_multiple(&[account(3), account(4), account(5)]).await.unwrap_err();
        assert_eq!(after.kind(), ErrorKind::TransactionAborted);
        assert_eq!(lost.commit().await.unwrap_err().kind(), ErrorKind::TransactionAborted);
        assert!(accounts.retrieve(3).await.unwrap().is_none());
    });
}

#[test]
fn a_deadlock_behind_a_savepoint_ends_the_whole_transaction() {
    on_each("behind", async |fixture| {
        fixture.run(TABLE).await;
        let accounts = fixture.db.repository::<Account>();
        accounts.create_multiple(&[account(1), account(2), account(3)]).await.unwrap();
        let (mut one, two) = (fixture.db.begin().await.unwrap(), fixture.db.begin().await.unwrap());
        // More work than the other has done: the server breaks the lighter one.
        let many: Vec<_> = (100..200).map(account).collect();
        two.repository::<Account>().create_multiple(&many).without_keys().await.unwrap();
        one.repository::<Account>().create(&account(9)).await.unwrap();
        let inner = one.begin().await.unwrap();
        inner.repository::<Account>().update(&Account { amount: 7, ..account(1) }).await.unwrap();
        two.repository::<Account>().update(&Account { amount: 7, ..account(2) }).await.unwrap();
        let cross = async |first: Account, second: Account, tx: &arx::Tx<'_>| {
            tx.repository::<Account>().update_multiple(&[first, second]).require_all().await
        };
        let (lost, kept) = tokio::join!(cross(account(2), account(3), &inner), cross(account(1), account(3), &two));
        assert_eq!(lost.unwrap_err().kind(), ErrorKind::Deadlock);
        kept.unwrap();
        two.commit().await.unwrap();
        inner.rollback().await.unwrap();
        let after = one.repository::<Account>().create(&account(10)).await.unwrap_err();
        assert_eq!(after.kind(), ErrorKind::TransactionAborted);
        assert_eq!(one.commit().await.unwrap_err().kind(), ErrorKind::TransactionAborted);
        assert!(accounts.retrieve(9).await.unwrap().is_none());
    });
}

#[test]
fn what_is_too_large_is_not_sent() {
    on_each("packet", async |fixture| {
        fixture.run("CREATE TABLE texts (id INT PRIMARY KEY, text LONGTEXT)").await;
        let limit: usize = fixture.text("SELECT CAST(@@max_allowed_packet AS CHAR)").await.parse().unwrap();
        let text = "x".repeat(limit);
        let error = fixture.db.run("INSERT INTO texts VALUES (1, ?)", (text.as_str(),)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Encode);
        assert!(error.to_string().contains(&limit.to_string()), "{error}");
        let text = "x".repeat(limit - 1_000);
        assert_eq!(fixture.db.run("INSERT INTO texts VALUES (1, ?)", (text.as_str(),)).await.unwrap(), 1);
    });
}

#[test]
fn a_connection_that_was_killed_is_not_used_again() {
    on_each("killed", async |fixture| {
        let tx = fixture.db.begin().await.unwrap();
        #[derive(arx::Record)]
        struct Id {
            id: u64,
        }
        let id = tx.query::<Id>("SELECT CONNECTION_ID()", ()).await.unwrap()[0].id;
        fixture.run(&format!("KILL {id}")).await;
        let error = tx.run("DO 1", ()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionLost, "{error:?}");
        drop(tx);
        for _ in 0..8 {
            fixture.run("DO 1").await;
        }
    });
}
