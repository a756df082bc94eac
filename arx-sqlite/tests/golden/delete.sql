-- by key
DELETE FROM "sales"."customers" WHERE "id" = ?1;
--   Rows { columns: {0} }

-- by key and version
DELETE FROM "sales"."customers" WHERE "id" = ?1 AND "version" = ?2;
--   Rows { columns: {0} }, Rows { columns: {3} }

-- a composite key
DELETE FROM "order" WHERE "order" = ?1 AND "line" = ?2;
--   Rows { columns: {0} }, Rows { columns: {1} }

-- every row
DELETE FROM "order";
--   

-- by filter, keys back
DELETE FROM "order" WHERE "amount" IS NULL RETURNING "order", "line";
--   

