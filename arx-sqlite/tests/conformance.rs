//! The conformance suite on SQLite: a file of its own for each case.

#![allow(clippy::expect_used)]

use std::path::PathBuf;
use std::sync::Arc;

use arx::conformance::{Backend, Open, Requires};
use arx::connection::{BoxFuture, Pool};
use arx::entity::ColumnMeta;
use arx::error::Result;
use arx::value::ScalarKind;
use arx_sqlite::{Options, Synchronous};

struct Sqlite {
    folder: PathBuf,
}

impl Sqlite {
    fn file(&self, case: &str) -> PathBuf {
        self.folder.join(format!("{case}.db"))
    }
}

impl Backend for Sqlite {
    fn name(&self) -> String {
        "sqlite".to_owned()
    }

    fn provides(&self) -> &'static [Requires] {
        &[Requires::NulText, Requires::Scale, Requires::DefaultKeys, Requires::OwnTriggers, Requires::NoRoutines]
    }

    fn skips(&self) -> &'static [&'static str] {
        // SQLite's file format has no -0.0: it is written as the integer 0.
        &[
            "a_call_in_a_transaction_is_undone_with_it",
            "a_database_without_messages_says_so",
            "a_deadlock_is_repeated",
            "a_dropped_call_leaves_a_clean_connection",
            "a_failure_that_never_ends_is_given_up",
            "a_function_returns_a_value",
            "a_function_returns_rows",
            "a_lock_is_held_to_the_end_of_the_transaction",
            "a_number_that_does_not_fit_the_column_is_refused",
            "a_procedure_is_called_by_name",
            "a_procedure_is_called_by_position",
            "a_procedure_returns_several_sets",
            "a_procedure_without_parameters_is_called",
            "a_routine_that_was_replaced_is_looked_up_again",
            "a_serialization_failure_is_repeated",
            "a_text_too_long_for_its_column_is_refused",
            "a_thousand_rows_come_back_from_a_function",
            "a_thousand_rows_come_back_from_a_procedure",
            "a_zero_keeps_its_sign",
            "all_or_nothing_updates_of_the_same_rows_never_deadlock",
            "an_answer_that_does_not_fit_is_refused",
            "an_atomic_call_is_done_whole_or_not_at_all",
            "an_error_after_the_first_set_leaves_a_usable_connection",
            "arguments_that_do_not_fit_are_refused_before_anything_is_sent",
            "arrays_of_every_kind_survive",
            "arrays_of_hard_texts_survive",
            "arrays_survive_ragged_and_empty",
            "case_016_arrays_all_set_to_null",
            "case_080_warnings_nobody_sees",
            "case_085_every_row_has_an_array_of_its_own",
            "case_087_an_enum_with_a_name_in_upper_case",
            "case_089_a_batch_is_cast_by_its_columns",
            "case_090_a_number_that_is_none",
            "case_106_a_table_in_a_schema",
            "case_108_an_update_in_a_schema",
            "case_131_overlapping_inserts_in_opposite_orders",
            "case_131_overlapping_updates_in_opposite_orders",
            "case_133_a_deadlock_is_run_again",
            "case_133_flags_of_many_messages_set_by_two",
            "case_160_what_comes_back_before_the_last_set",
            "case_162_a_trailing_set",
            "defaults_of_parameters_are_the_databases",
            "deletes_of_the_same_rows_are_not_counted_twice",
            "every_kind_comes_back_and_so_does_null",
            "floats_that_are_no_numbers_survive",
            "isolation_levels_are_what_they_say",
            "messages_come_with_the_result_when_they_are_asked_for",
            "names_of_routines_are_only_names",
            "native_enums_survive",
            "overloads_are_chosen_by_their_arguments",
            "plans_of_calls_tell_what_is_sent",
            "texts_bytes_and_documents_come_back",
            "values_of_arguments_are_only_values",
            "what_is_not_asked_for_does_not_come_back",
            "writers_that_do_not_lock_first_may_be_told_to_run_again",
            "writers_that_lock_first_never_deadlock",
        ]
    }

    fn block_on(&self, case: BoxFuture<'_, ()>) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.expect("the runtime starts").block_on(case);
    }

    fn open<'a>(&'a self, case: &'a str, options: Open) -> BoxFuture<'a, Result<Arc<dyn Pool>>> {
        Box::pin(async move {
            let readers = usize::try_from(options.connections).unwrap_or(1);
            // What a case shows does not hang on the disk, and the disk would take most of its time.
            let options = Options::new(self.file(case)).readers(readers).synchronous(Synchronous::Off);
            // A future that gets its reply at once cannot be dropped before it.
            let options = options.spin(false);
            let pool: Arc<dyn Pool> = Arc::new(options.open().await?);
            Ok(pool)
        })
    }

    fn remove<'a>(&'a self, case: &'a str) -> BoxFuture<'a, Result<()>> {
        for suffix in ["db", "db-wal", "db-shm"] {
            // A file that is not there, or goes with the folder, needs no removing.
            let _ = std::fs::remove_file(self.folder.join(format!("{case}.{suffix}")));
        }
        Box::pin(async { Ok(()) })
    }

    fn column_type(&self, column: &ColumnMeta) -> String {
        match column.kind {
            ScalarKind::F32 | ScalarKind::F64 => "REAL",
            ScalarKind::Bytes | ScalarKind::Uuid => "BLOB",
            ScalarKind::Bool
            | ScalarKind::I8
            | ScalarKind::I16
            | ScalarKind::I32
            | ScalarKind::I64
            | ScalarKind::U8
            | ScalarKind::U16
            | ScalarKind::U32
            | ScalarKind::U64 => "INTEGER",
            _ => "TEXT",
        }
        .to_owned()
    }

    fn trigger(&self, when: &str, table: &str, body: &str) -> Vec<String> {
        vec![format!("CREATE TRIGGER beside {when} ON {table} BEGIN {body} END")]
    }

    fn generated_key(&self, column: &ColumnMeta) -> String {
        match column.kind {
            ScalarKind::Uuid => "BLOB NOT NULL DEFAULT (randomblob(16)) PRIMARY KEY".to_owned(),
            _ => "INTEGER PRIMARY KEY".to_owned(),
        }
    }

    fn quote(&self, name: &str) -> String {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

fn main() {
    let folder = std::env::temp_dir().join(format!("arx-sqlite-conformance-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder is created");
    arx::conformance::main(Arc::new(Sqlite { folder }));
}
