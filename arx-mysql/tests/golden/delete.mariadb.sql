-- one row
DELETE FROM `sales`.`customers` WHERE `id` = ?;
-- binds [Rows { columns: {0} }]

-- one row with its version
DELETE FROM `sales`.`customers` WHERE `id` = ? AND `version` = ?;
-- binds [Rows { columns: {0, 4} }]

-- rows
DELETE FROM `sales`.`customers` WHERE `id` IN (?, ?, ?, ?);
-- binds [Keyed { key: {0}, then: {}, rows: 4 }]

-- rows with a filter
DELETE FROM `sales`.`customers` WHERE `id` IN (?, ?, ?, ?) AND `co``de` IS NULL;
-- binds [Keyed { key: {0}, then: {}, rows: 4 }]

-- one row by a composite key
DELETE FROM `stock` WHERE `place` = ? AND `part` = ?;
-- binds [Rows { columns: {0, 1} }]

-- rows by composite keys
DELETE FROM `stock` WHERE (`place`, `part`) IN ((?, ?), (?, ?));
-- binds [Keyed { key: {0, 1}, then: {}, rows: 2 }]

-- by filter
DELETE FROM `sales`.`customers` WHERE `id` BETWEEN ? AND ?;
-- binds [Literal(0), Literal(1)]

-- all rows
DELETE FROM `stock`;
-- binds []

