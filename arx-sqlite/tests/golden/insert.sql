-- rowids from the driver
INSERT INTO "sales"."customers" ("full ""name""", "balance", "version", "created", "updated") VALUES (?1, ?2, ?3, ?4, ?5);
--   Rows { columns: {1} }, Rows { columns: {2} }, Literal(0), Literal(1), Literal(2)

-- keys from RETURNING
INSERT INTO "sales"."customers" ("full ""name""", "balance", "version", "created", "updated") VALUES (?1, ?2, ?3, ?4, ?5) RETURNING "id";
--   Rows { columns: {1} }, Rows { columns: {2} }, Literal(0), Literal(1), Literal(2)

-- whole rows
INSERT INTO "sales"."customers" ("full ""name""", "balance", "version", "created", "updated") VALUES (?1, ?2, ?3, ?4, ?5) RETURNING "id", "full ""name""", "balance", "version", "created", "updated";
--   Rows { columns: {1} }, Rows { columns: {2} }, Literal(0), Literal(1), Literal(2)

-- given keys, nothing back
INSERT INTO "sales"."customers" ("id", "full ""name""", "balance", "version", "created", "updated") VALUES (?1, ?2, ?3, ?4, ?5, ?6);
--   Rows { columns: {0} }, Rows { columns: {1} }, Rows { columns: {2} }, Literal(0), Literal(1), Literal(2)

-- a defaulted column
INSERT INTO "order" ("order", "line") VALUES (?1, ?2) RETURNING "amount";
--   Rows { columns: {0} }, Rows { columns: {1} }

-- only stamps
INSERT INTO "sales"."customers" ("version", "created", "updated") VALUES (?1, ?2, ?3);
--   Literal(0), Literal(1), Literal(2)

-- only defaults
INSERT INTO "sales"."customers" DEFAULT VALUES;
--   

