-- one row
INSERT INTO "sales"."customers" ("co""de", "mood", "tags", "moods", "ord", "version", "updated") VALUES ($1, $2::text::"sales"."mood", $3, $4::text[]::"mood"[], $5::text::"small", $6, $7) RETURNING "id";
-- binds [Rows { columns: {1, 2, 3, 4, 7} }, Literal(0), Literal(1)]

-- one row of defaults
INSERT INTO "sales"."customers" DEFAULT VALUES RETURNING "id";
-- binds []

-- one row, key given
INSERT INTO "sales"."customers" ("id", "co""de") OVERRIDING SYSTEM VALUE VALUES ($1, $2) RETURNING "id";
-- binds [Rows { columns: {0, 1} }]

-- rows, keys ascend
INSERT INTO "sales"."customers" ("co""de", "mood", "tags", "moods", "ord", "version", "updated") SELECT s."co""de", s."mood"::text::"sales"."mood", s."tags"::int4[], s."moods"::"mood"[], s."ord"::text::"small", $1, $2 FROM UNNEST($3::text[], $4::text[], $5::text[], $6::text[], $7::int8[]) WITH ORDINALITY AS s("co""de", "mood", "tags", "moods", "ord", ord_) ORDER BY s.ord_ RETURNING "id";
-- binds [Literal(0), Literal(1), Array { column: 1 }, Array { column: 2 }, Array { column: 3 }, Array { column: 4 }, Array { column: 7 }]

-- rows, nothing returned
INSERT INTO "sales"."customers" ("co""de") SELECT s."co""de" FROM UNNEST($1::text[]) AS s("co""de");
-- binds [Array { column: 1 }]

-- rows, keys given
INSERT INTO "sales"."customers" ("id", "co""de") OVERRIDING SYSTEM VALUE SELECT s."id", s."co""de" FROM UNNEST($1::int8[], $2::text[]) AS s("id", "co""de") RETURNING "id";
-- binds [Array { column: 0 }, Array { column: 1 }]

-- rows, keys computed
WITH arx_source AS MATERIALIZED (SELECT s."co""de" AS "co""de", s."mood"::text::"sales"."mood" AS "mood", s."tags"::int4[] AS "tags", s."moods"::"mood"[] AS "moods", s."ord"::text::"small" AS "ord", (gen_random_uuid())::uuid AS "id", s.ord_ FROM UNNEST($1::text[], $2::text[], $3::text[], $4::text[], $5::int8[]) WITH ORDINALITY AS s("co""de", "mood", "tags", "moods", "ord", ord_)), arx_new AS (INSERT INTO "sales"."customers" ("id", "co""de", "mood", "tags", "moods", "ord", "version", "updated") SELECT s."id", s."co""de", s."mood", s."tags", s."moods", s."ord", $6, $7 FROM arx_source AS s RETURNING "id") SELECT n."id", s.ord_ FROM arx_new AS n JOIN arx_source AS s ON n."id" = s."id";
-- binds [Array { column: 1 }, Array { column: 2 }, Array { column: 3 }, Array { column: 4 }, Array { column: 7 }, Literal(0), Literal(1)]

-- rows of defaults
INSERT INTO "sales"."customers" SELECT FROM generate_series(1, $1::int8) RETURNING "id";
-- binds [Count]

-- rows of stamps
INSERT INTO "sales"."customers" ("version", "updated") SELECT $1, $2 FROM generate_series(1, $3::int8) RETURNING "id";
-- binds [Literal(0), Literal(1), Count]

-- rows of computed keys alone
WITH arx_source AS MATERIALIZED (SELECT (gen_random_uuid())::uuid AS "id", s.ord FROM generate_series(1, $1::int8) AS s(ord)), arx_new AS (INSERT INTO "marks" ("id") SELECT s."id" FROM arx_source AS s RETURNING "id") SELECT n."id", s.ord FROM arx_new AS n JOIN arx_source AS s ON n."id" = s."id";
-- binds [Count]

-- rows with composite keys
INSERT INTO "stock" ("place", "part", "amount") SELECT s."place", s."part", s."amount" FROM UNNEST($1::int8[], $2::text[], $3::numeric[]) AS s("place", "part", "amount") RETURNING "place", "part";
-- binds [Array { column: 0 }, Array { column: 1 }, Array { column: 2 }]

