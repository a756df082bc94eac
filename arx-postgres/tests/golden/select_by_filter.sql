-- all
SELECT "updated", "id" FROM "sales"."customers";
-- binds []

-- compared with types of the database's own
SELECT "updated", "id" FROM "sales"."customers" WHERE ("mood" = $1::text::"sales"."mood" AND "moods" = $2::text[]::"mood"[] AND "ord" = $3::text::"small");
-- binds [Literal(0), Literal(1), Literal(2)]

-- in lists
SELECT "updated", "id" FROM "sales"."customers" WHERE ("id" = ANY($1::int8[]) AND "mood" <> ALL($2::text[]::"sales"."mood"[]) AND "ord" = ANY($3::text[]::"small"[]));
-- binds [Literal(0), Literal(1), Literal(2)]

-- like
SELECT "updated", "id" FROM "sales"."customers" WHERE "co""de" NOT LIKE $1;
-- binds [Literal(0)]

-- between
SELECT "updated", "id" FROM "sales"."customers" WHERE "updated" NOT BETWEEN $1 AND $2;
-- binds [Literal(0), Literal(1)]

-- paged
SELECT "updated", "id" FROM "sales"."customers" ORDER BY "co""de" DESC, "id" LIMIT $1 OFFSET $2;
-- binds [Literal(0), Literal(1)]

-- a page
SELECT c.n, p."arx_row", p."updated", p."id" FROM (SELECT COUNT(*) AS n FROM "sales"."customers" WHERE "id" = ANY($1::int8[])) c LEFT JOIN (SELECT TRUE AS "arx_row", "id", "co""de", "updated" FROM "sales"."customers" WHERE "id" = ANY($2::int8[]) ORDER BY "co""de" DESC NULLS LAST, "id" LIMIT $3 OFFSET $4) p ON 1 = 1 ORDER BY p."co""de" DESC NULLS LAST, p."id";
-- binds [Literal(0), Literal(0), Literal(1), Literal(2)]

-- a page by key
SELECT "updated", "id" FROM "sales"."customers" WHERE ("updated" <= $1 AND ("updated" < $2 OR ("updated" = $3 AND "id" > $4))) ORDER BY "updated" DESC, "id" LIMIT $5;
-- binds [Literal(0), Literal(1), Literal(2), Literal(3), Literal(4)]

-- locked
SELECT "updated", "id" FROM "sales"."customers" WHERE "id" = $1 FOR UPDATE;
-- binds [Literal(0)]

-- counted
SELECT COUNT(*) FROM "sales"."customers" WHERE ("co""de" = $1 OR NOT ("tags" = $2));
-- binds [Literal(0), Literal(1)]

-- existing
SELECT EXISTS (SELECT 1 FROM "sales"."customers" WHERE ("co""de" = $1 OR NOT ("tags" = $2)));
-- binds [Literal(0), Literal(1)]

