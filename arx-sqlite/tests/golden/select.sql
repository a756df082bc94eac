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

-- a page
SELECT c.n, p."arx_row", p."full ""name""", p."id" FROM (SELECT COUNT(*) AS n FROM "sales"."customers" WHERE ("balance" >= ?1 COLLATE arx_decimal AND "created" NOT BETWEEN ?2 AND ?3 AND ("id" IN rarray(?4) OR "balance" COLLATE arx_decimal NOT IN rarray(?5) OR "full ""name""" LIKE ?6 ESCAPE '\') AND NOT ("full ""name""" IS NOT NULL))) c LEFT JOIN (SELECT TRUE AS "arx_row", "id", "full ""name""", "balance" FROM "sales"."customers" WHERE ("balance" >= ?7 COLLATE arx_decimal AND "created" NOT BETWEEN ?8 AND ?9 AND ("id" IN rarray(?10) OR "balance" COLLATE arx_decimal NOT IN rarray(?11) OR "full ""name""" LIKE ?12 ESCAPE '\') AND NOT ("full ""name""" IS NOT NULL)) ORDER BY "balance" COLLATE arx_decimal DESC NULLS LAST, "id" LIMIT ?13 OFFSET ?14) p ON 1 = 1 ORDER BY p."balance" COLLATE arx_decimal DESC NULLS LAST, p."id";
--   Literal(0), Literal(1), Literal(2), Literal(3), Literal(4), Literal(5), Literal(0), Literal(1), Literal(2), Literal(3), Literal(4), Literal(5), Literal(6), Literal(7)

-- a page by key
SELECT "full ""name""", "id" FROM "sales"."customers" WHERE ("balance" <= ?1 COLLATE arx_decimal AND ("balance" < ?2 COLLATE arx_decimal OR ("balance" = ?3 COLLATE arx_decimal AND "id" > ?4))) ORDER BY "balance" COLLATE arx_decimal DESC NULLS LAST, "id" LIMIT ?5;
--   Literal(0), Literal(1), Literal(2), Literal(3), Literal(4)

-- Count
SELECT COUNT(*) FROM "sales"."customers" WHERE ("balance" >= ?1 COLLATE arx_decimal AND "created" NOT BETWEEN ?2 AND ?3 AND ("id" IN rarray(?4) OR "balance" COLLATE arx_decimal NOT IN rarray(?5) OR "full ""name""" LIKE ?6 ESCAPE '\') AND NOT ("full ""name""" IS NOT NULL));
--   Literal(0), Literal(1), Literal(2), Literal(3), Literal(4), Literal(5)

-- Exists
SELECT EXISTS (SELECT 1 FROM "sales"."customers" WHERE ("balance" >= ?1 COLLATE arx_decimal AND "created" NOT BETWEEN ?2 AND ?3 AND ("id" IN rarray(?4) OR "balance" COLLATE arx_decimal NOT IN rarray(?5) OR "full ""name""" LIKE ?6 ESCAPE '\') AND NOT ("full ""name""" IS NOT NULL)));
--   Literal(0), Literal(1), Literal(2), Literal(3), Literal(4), Literal(5)

