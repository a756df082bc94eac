-- one row
SELECT t."id", t."co""de", t."mood", t."tags", t."moods", t."version", t."updated", t."ord" FROM "sales"."customers" AS t WHERE t."id" = $1;
-- binds [Rows { columns: {0} }]

-- one row with its ordinal
SELECT t."place", t."part", t."amount", 1::int8 FROM "stock" AS t WHERE t."place" = $1 AND t."part" = $2;
-- binds [Rows { columns: {0, 1} }]

-- rows
SELECT t."id", t."co""de", t."mood", t."tags", t."moods", t."version", t."updated", t."ord" FROM "sales"."customers" AS t WHERE t."id" = ANY($1::int8[]);
-- binds [Array { column: 0 }]

-- rows with their ordinals
SELECT t."id", t."co""de", t."mood", t."tags", t."moods", t."version", t."updated", t."ord", s.ord_ FROM UNNEST((SELECT $1::int8[])) WITH ORDINALITY AS s("id", ord_) JOIN "sales"."customers" AS t ON t."id" = s."id";
-- binds [Array { column: 0 }]

-- rows by composite keys
SELECT t."place", t."part", t."amount" FROM UNNEST((SELECT $1::int8[]), (SELECT $2::text[])) AS s("place", "part") JOIN "stock" AS t ON t."place" = s."place" AND t."part" = s."part";
-- binds [Array { column: 0 }, Array { column: 1 }]

-- rows locked in order
SELECT t."id", s.ord_ FROM UNNEST((SELECT $1::int8[])) WITH ORDINALITY AS s("id", ord_) JOIN "sales"."customers" AS t ON t."id" = s."id" AND t."mood" IS NOT NULL ORDER BY t."id" FOR UPDATE OF t;
-- binds [Array { column: 0 }]

-- rows by composite keys locked in order
SELECT t."place", t."part", s.ord FROM UNNEST((SELECT $1::int8[]), (SELECT $2::text[])) WITH ORDINALITY AS s("place", "part", ord) JOIN "stock" AS t ON t."place" = s."place" AND t."part" = s."part" AND t."amount" IS NOT NULL ORDER BY t."place", t."part" FOR UPDATE OF t;
-- binds [Array { column: 0 }, Array { column: 1 }]

-- one row locked
SELECT t."id", 1::int8 FROM "sales"."customers" AS t WHERE t."id" = $1 AND t."mood" IS NOT NULL ORDER BY t."id" FOR UPDATE OF t;
-- binds [Rows { columns: {0} }]

