-- by key and version
UPDATE "sales"."customers" SET "full ""name""" = ?1, "balance" = ?2, "updated" = ?3, "version" = "version" + 1 WHERE "id" = ?4 AND "version" = ?5;
--   Rows { columns: {1} }, Rows { columns: {2} }, Literal(0), Rows { columns: {0} }, Rows { columns: {3} }

-- with a filter
UPDATE "sales"."customers" SET "full ""name""" = ?1, "balance" = ?2, "updated" = ?3, "version" = "version" + 1 WHERE "id" = ?4 AND "full ""name""" <> ?5;
--   Rows { columns: {1} }, Rows { columns: {2} }, Literal(0), Rows { columns: {0} }, Literal(1)

-- a composite key
UPDATE "order" SET "amount" = ?1 WHERE "order" = ?2 AND "line" = ?3;
--   Rows { columns: {2} }, Rows { columns: {0} }, Rows { columns: {1} }

-- keys that only SQLite can compare
UPDATE "order" SET "amount" = ?1 WHERE "order" = ?2 AND "line" = ?3 RETURNING "order", "line";
--   Rows { columns: {2} }, Rows { columns: {0} }, Rows { columns: {1} }

-- by filter
UPDATE "sales"."customers" SET "balance" = ?1, "version" = CASE WHEN typeof("version" + 1) = 'integer' AND "version" + 1 BETWEEN -2147483648 AND 2147483647 OR ("version" + 1) IS NULL THEN "version" + 1 ELSE abs(-9223372036854775807 - (("version" + 1) IS NOT NULL)) END WHERE "full ""name""" <> ?2;
--   Literal(0), Literal(1)

-- by filter, computed
UPDATE "sales"."customers" SET "version" = CASE WHEN typeof("version" - ?1) = 'integer' AND "version" - ?2 BETWEEN -2147483648 AND 2147483647 OR ("version" - ?3) IS NULL THEN "version" - ?4 ELSE abs(-9223372036854775807 - (("version" - ?5) IS NOT NULL)) END, "full ""name""" = "full ""name""" WHERE "full ""name""" <> ?6;
--   Literal(0), Literal(0), Literal(0), Literal(0), Literal(0), Literal(1)

