-- one row
UPDATE "sales"."customers" SET "co""de" = $1, "mood" = $2::text::"sales"."mood", "tags" = $3, "updated" = $4, "version" = "version" + 1 WHERE "id" = $5;
-- binds [Rows { columns: {1, 2, 3} }, Literal(0), Rows { columns: {0} }]

-- one row with its version and a filter
UPDATE "sales"."customers" SET "co""de" = $1, "mood" = $2::text::"sales"."mood", "tags" = $3, "updated" = $4, "version" = "version" + 1 WHERE "id" = $5 AND "version" = $6 AND "mood" <> $7::text::"sales"."mood";
-- binds [Rows { columns: {1, 2, 3} }, Literal(0), Rows { columns: {0, 5} }, Literal(1)]

-- rows
UPDATE "sales"."customers" AS t SET "co""de" = s."co""de", "mood" = s."mood"::text::"sales"."mood", "tags" = s."tags"::int4[], "updated" = $1, "version" = t."version" + 1 FROM UNNEST((SELECT $2::int8[]), (SELECT $3::text[]), (SELECT $4::text[]), (SELECT $5::text[])) AS s("id", "co""de", "mood", "tags") WHERE t."id" = s."id";
-- binds [Literal(0), Array { column: 0 }, Array { column: 1 }, Array { column: 2 }, Array { column: 3 }]

-- rows with versions and a filter
UPDATE "sales"."customers" AS t SET "co""de" = s."co""de", "mood" = s."mood"::text::"sales"."mood", "tags" = s."tags"::int4[], "updated" = $1, "version" = t."version" + 1 FROM UNNEST((SELECT $2::int8[]), (SELECT $3::text[]), (SELECT $4::text[]), (SELECT $5::text[]), (SELECT $6::int4[])) AS s("id", "co""de", "mood", "tags", "version") WHERE t."id" = s."id" AND t."version" = s."version" AND t."mood" <> $7::text::"sales"."mood";
-- binds [Literal(0), Array { column: 0 }, Array { column: 1 }, Array { column: 2 }, Array { column: 3 }, Array { column: 5 }, Literal(1)]

-- rows with versions, all or none
WITH arx_source AS MATERIALIZED (SELECT s.*, $1 AS "updated" FROM UNNEST((SELECT $2::int8[]), (SELECT $3::text[]), (SELECT $4::text[]), (SELECT $5::text[]), (SELECT $6::int4[])) AS s("id", "co""de", "mood", "tags", "version")), arx_hit AS MATERIALIZED (SELECT t."id" FROM "sales"."customers" AS t, arx_source AS s WHERE t."id" = s."id" AND t."version" = s."version" ORDER BY t."id" FOR NO KEY UPDATE OF t) UPDATE "sales"."customers" AS t SET "co""de" = s."co""de", "mood" = s."mood"::text::"sales"."mood", "tags" = s."tags"::int4[], "updated" = s."updated", "version" = t."version" + 1 FROM arx_source AS s WHERE t."id" = s."id" AND t."version" = s."version" AND (SELECT count(*) FROM arx_hit) = $7;
-- binds [Literal(0), Array { column: 0 }, Array { column: 1 }, Array { column: 2 }, Array { column: 3 }, Array { column: 5 }, Count]

-- rows with a filter, all or none
WITH arx_source AS MATERIALIZED (SELECT s.*, $1 AS "updated" FROM UNNEST((SELECT $2::int8[]), (SELECT $3::text[]), (SELECT $4::text[]), (SELECT $5::text[])) AS s("id", "co""de", "mood", "tags")), arx_hit AS MATERIALIZED (SELECT t."id" FROM "sales"."customers" AS t, arx_source AS s WHERE t."id" = s."id" AND t."mood" <> $6::text::"sales"."mood" ORDER BY t."id" FOR NO KEY UPDATE OF t) UPDATE "sales"."customers" AS t SET "co""de" = s."co""de", "mood" = s."mood"::text::"sales"."mood", "tags" = s."tags"::int4[], "updated" = s."updated", "version" = t."version" + 1 FROM arx_source AS s WHERE t."id" = s."id" AND (SELECT count(*) FROM arx_hit) = $7;
-- binds [Literal(0), Array { column: 0 }, Array { column: 1 }, Array { column: 2 }, Array { column: 3 }, Literal(1), Count]

-- rows, returned
UPDATE "sales"."customers" AS t SET "co""de" = s."co""de", "mood" = s."mood"::text::"sales"."mood", "tags" = s."tags"::int4[], "updated" = $1, "version" = t."version" + 1 FROM UNNEST((SELECT $2::int8[]), (SELECT $3::text[]), (SELECT $4::text[]), (SELECT $5::text[]), (SELECT $6::int4[])) AS s("id", "co""de", "mood", "tags", "version") WHERE t."id" = s."id" AND t."version" = s."version" RETURNING t."id", t."updated";
-- binds [Literal(0), Array { column: 0 }, Array { column: 1 }, Array { column: 2 }, Array { column: 3 }, Array { column: 5 }]

-- rows by composite keys
UPDATE "stock" AS t SET "amount" = s."amount" FROM UNNEST((SELECT $1::int8[]), (SELECT $2::text[]), (SELECT $3::numeric[])) AS s("place", "part", "amount") WHERE t."place" = s."place" AND t."part" = s."part";
-- binds [Array { column: 0 }, Array { column: 1 }, Array { column: 2 }]

-- rows by keys that only the database compares, all or none
WITH arx_source AS MATERIALIZED (SELECT s.* FROM UNNEST((SELECT $1::int8[]), (SELECT $2::text[]), (SELECT $3::numeric[])) AS s("place", "part", "amount")), arx_hit AS MATERIALIZED (SELECT t."place", t."part" FROM "stock" AS t, arx_source AS s WHERE t."place" = s."place" AND t."part" = s."part" ORDER BY t."place", t."part" FOR NO KEY UPDATE OF t) UPDATE "stock" AS t SET "amount" = s."amount" FROM arx_source AS s WHERE t."place" = s."place" AND t."part" = s."part" AND (SELECT count(*) FROM (SELECT DISTINCT * FROM arx_hit) AS h) = $4;
-- binds [Array { column: 0 }, Array { column: 1 }, Array { column: 2 }, Count]

-- by filter
UPDATE "sales"."customers" SET "co""de" = $1, "mood" = $2::text::"sales"."mood", "version" = "version" + 1 WHERE "mood" <> $3::text::"sales"."mood";
-- binds [Rows { columns: {} }, Literal(0), Literal(1), Literal(2)]

-- by filter, computed
UPDATE "sales"."customers" SET "version" = "version" * $1, "co""de" = "mood", "updated" = $2 WHERE "mood" <> $3::text::"sales"."mood";
-- binds [Rows { columns: {} }, Literal(0), Literal(1), Literal(2)]

-- every row, computed
UPDATE "stock" SET "amount" = "amount" + $1;
-- binds [Rows { columns: {} }, Literal(0)]

