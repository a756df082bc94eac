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

-- locked
SELECT "updated", "id" FROM "sales"."customers" WHERE "id" = $1 FOR UPDATE;
-- binds [Literal(0)]

-- counted
SELECT COUNT(*) FROM "sales"."customers" WHERE ("co""de" = $1 OR NOT ("tags" = $2));
-- binds [Literal(0), Literal(1)]

-- existing
SELECT EXISTS (SELECT 1 FROM "sales"."customers" WHERE ("co""de" = $1 OR NOT ("tags" = $2)));
-- binds [Literal(0), Literal(1)]

