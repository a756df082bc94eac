-- one row
SELECT t.`id` FROM `sales`.`customers` AS t WHERE t.`id` = ?;
-- binds [Rows { columns: {0} }]

-- one row with its ordinal
SELECT t.`place`, t.`part`, 1 FROM `stock` AS t WHERE t.`place` = ? AND t.`part` = ?;
-- binds [Row { columns: {0, 1}, row: 0 }]

-- rows
SELECT t.`id` FROM `sales`.`customers` AS t WHERE t.`id` IN (?, ?, ?, ?);
-- binds [Keyed { key: {0}, then: {}, rows: 4 }]

-- rows by composite keys
SELECT t.`place`, t.`part` FROM `stock` AS t WHERE (t.`place`, t.`part`) IN ((?, ?), (?, ?));
-- binds [Keyed { key: {0, 1}, then: {}, rows: 2 }]

-- many rows
SELECT t.`id` FROM JSON_TABLE(?, '$[*]' COLUMNS (o FOR ORDINALITY, k0 BIGINT UNSIGNED PATH '$[0]' ERROR ON ERROR)) AS s JOIN `sales`.`customers` AS t ON t.`id` = s.k0;
-- binds [Json { columns: {0} }]

-- rows with their ordinals
SELECT t.`place`, t.`part`, s.o FROM JSON_TABLE(?, '$[*]' COLUMNS (o FOR ORDINALITY, k0 BIGINT PATH '$[0]' ERROR ON ERROR, k1 JSON PATH '$[1]' ERROR ON ERROR)) AS s JOIN `stock` AS t ON t.`place` = s.k0 AND t.`part` = JSON_UNQUOTE(NULLIF(s.k1, 'null'));
-- binds [Json { columns: {0, 1} }]

-- rows with their ordinals, one by one
(SELECT t.`place`, t.`part`, 1 FROM `stock` AS t WHERE t.`place` = ? AND t.`part` = ?) UNION ALL (SELECT t.`place`, t.`part`, 2 FROM `stock` AS t WHERE t.`place` = ? AND t.`part` = ?);
-- binds [Row { columns: {0, 1}, row: 0 }, Row { columns: {0, 1}, row: 1 }]

-- rows locked in order
SELECT t.`place`, t.`part`, s.o FROM JSON_TABLE(?, '$[*]' COLUMNS (o FOR ORDINALITY, k0 BIGINT PATH '$[0]' ERROR ON ERROR, k1 JSON PATH '$[1]' ERROR ON ERROR)) AS s JOIN `stock` AS t ON t.`place` = s.k0 AND t.`part` = JSON_UNQUOTE(NULLIF(s.k1, 'null')) AND t.`amount` = ? ORDER BY t.`place`, t.`part` FOR UPDATE;
-- binds [Json { columns: {0, 1} }, Literal(0)]

-- rows locked one by one
(SELECT t.`place`, t.`part`, 1 FROM `stock` AS t WHERE t.`place` = ? AND t.`part` = ? AND t.`amount` = ? ORDER BY t.`place`, t.`part` FOR UPDATE) UNION ALL (SELECT t.`place`, t.`part`, 2 FROM `stock` AS t WHERE t.`place` = ? AND t.`part` = ? AND t.`amount` = ? ORDER BY t.`place`, t.`part` FOR UPDATE);
-- binds [Row { columns: {0, 1}, row: 0 }, Literal(0), Row { columns: {0, 1}, row: 1 }, Literal(0)]

