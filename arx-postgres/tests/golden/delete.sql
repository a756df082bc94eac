-- one row
DELETE FROM "sales"."customers" WHERE "id" = $1;
-- binds [Rows { columns: {0} }]

-- one row with its version
DELETE FROM "sales"."customers" WHERE "id" = $1 AND "version" = $2;
-- binds [Rows { columns: {0, 5} }]

-- rows
DELETE FROM "sales"."customers" WHERE "id" = ANY($1::int8[]);
-- binds [Array { column: 0 }]

-- rows with a filter
DELETE FROM "sales"."customers" WHERE "id" = ANY($1::int8[]) AND "co""de" IS NULL;
-- binds [Array { column: 0 }]

-- rows with their versions
DELETE FROM "sales"."customers" AS t USING UNNEST((SELECT $1::int8[]), (SELECT $2::int4[])) AS s("id", "version") WHERE t."id" = s."id" AND t."version" = s."version";
-- binds [Array { column: 0 }, Array { column: 5 }]

-- one row by a composite key
DELETE FROM "stock" WHERE "place" = $1 AND "part" = $2;
-- binds [Rows { columns: {0, 1} }]

-- rows by composite keys
DELETE FROM "stock" AS t USING UNNEST((SELECT $1::int8[]), (SELECT $2::text[])) AS s("place", "part") WHERE t."place" = s."place" AND t."part" = s."part";
-- binds [Array { column: 0 }, Array { column: 1 }]

-- by filter
DELETE FROM "sales"."customers" WHERE "id" BETWEEN $1 AND $2 RETURNING "id";
-- binds [Literal(0), Literal(1)]

-- all rows
DELETE FROM "stock";
-- binds []

