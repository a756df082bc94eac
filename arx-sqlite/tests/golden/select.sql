-- by key
SELECT "id", "full ""name""", "balance", "version", "created", "updated", ?1 FROM "sales"."customers" WHERE "id" = ?2;
--   Ordinal, Rows { columns: {0} }

-- by a composite key
SELECT "order", "line", "amount", ?1 FROM "order" WHERE "order" = ?2 AND "line" = ?3;
--   Ordinal, Rows { columns: {0} }, Rows { columns: {1} }

-- versions
SELECT "id", "version", ?1 FROM "sales"."customers" WHERE "id" = ?2 ORDER BY "id";
--   Ordinal, Rows { columns: {0} }

-- every row
SELECT "id", "full ""name""", "balance", "version", "created", "updated" FROM "sales"."customers";
--   

-- by filter
SELECT "full ""name""", "id" FROM "sales"."customers" WHERE ("balance" >= ?1 COLLATE arx_decimal AND "created" NOT BETWEEN ?2 AND ?3 AND ("id" IN rarray(?4) OR "balance" COLLATE arx_decimal NOT IN rarray(?5) OR "full ""name""" LIKE ?6 ESCAPE '\') AND NOT ("full ""name""" IS NOT NULL)) ORDER BY "balance" COLLATE arx_decimal DESC NULLS LAST, "id" LIMIT ?7 OFFSET ?8;
--   Literal(0), Literal(1), Literal(2), Literal(3), Literal(4), Literal(5), Literal(6), Literal(7)

-- an offset alone
SELECT "order", "line" FROM "order" LIMIT -1 OFFSET ?1;
--   Literal(0)

-- Count
SELECT COUNT(*) FROM "sales"."customers" WHERE ("balance" >= ?1 COLLATE arx_decimal AND "created" NOT BETWEEN ?2 AND ?3 AND ("id" IN rarray(?4) OR "balance" COLLATE arx_decimal NOT IN rarray(?5) OR "full ""name""" LIKE ?6 ESCAPE '\') AND NOT ("full ""name""" IS NOT NULL));
--   Literal(0), Literal(1), Literal(2), Literal(3), Literal(4), Literal(5)

-- Exists
SELECT EXISTS (SELECT 1 FROM "sales"."customers" WHERE ("balance" >= ?1 COLLATE arx_decimal AND "created" NOT BETWEEN ?2 AND ?3 AND ("id" IN rarray(?4) OR "balance" COLLATE arx_decimal NOT IN rarray(?5) OR "full ""name""" LIKE ?6 ESCAPE '\') AND NOT ("full ""name""" IS NOT NULL)));
--   Literal(0), Literal(1), Literal(2), Literal(3), Literal(4), Literal(5)

