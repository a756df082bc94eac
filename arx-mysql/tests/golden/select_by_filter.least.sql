-- all
SELECT `updated`, `id` FROM `sales`.`customers`;
-- binds []

-- in a list
SELECT `updated`, `id` FROM `sales`.`customers` WHERE `id` IN (?, ?);
-- binds [List { literal: 0, size: 2 }]

-- in a list of none
SELECT `updated`, `id` FROM `sales`.`customers` WHERE 1 = 0;
-- binds []

-- not in a list of none
SELECT `updated`, `id` FROM `sales`.`customers` WHERE 1 = 1;
-- binds []

-- in a long list of numbers
-- Unsupported

-- not in a long list of uuids
-- Unsupported

-- in a list of texts that is too long
-- Unsupported

-- like
SELECT `updated`, `id` FROM `sales`.`customers` WHERE `co``de` NOT LIKE ? ESCAPE X'5C';
-- binds [Literal(0)]

-- between
SELECT `updated`, `id` FROM `sales`.`customers` WHERE `updated` NOT BETWEEN ? AND ?;
-- binds [Literal(0), Literal(1)]

-- without a limit
SELECT `updated`, `id` FROM `sales`.`customers` ORDER BY `co``de` IS NULL, `co``de` DESC, `id` IS NULL DESC, `id` LIMIT 18446744073709551615 OFFSET ?;
-- binds [Literal(0)]

-- a page
SELECT c.n, p.`arx_row`, p.`updated`, p.`id` FROM (SELECT COUNT(*) AS n FROM `sales`.`customers`) c LEFT JOIN (SELECT TRUE AS `arx_row`, `id`, `co``de`, `updated` FROM `sales`.`customers` ORDER BY `co``de` IS NULL, `co``de` DESC, `id` IS NULL DESC, `id` LIMIT ? OFFSET ?) p ON 1 = 1 ORDER BY p.`co``de` IS NULL, p.`co``de` DESC, p.`id` IS NULL DESC, p.`id`;
-- binds [Literal(0), Literal(1)]

-- a page by key
SELECT `updated`, `id` FROM `sales`.`customers` WHERE (`updated` <= ? AND (`updated` < ? OR (`updated` = ? AND `id` > ?))) ORDER BY `updated` DESC, `id` LIMIT ?;
-- binds [Literal(0), Literal(1), Literal(2), Literal(3), Literal(4)]

-- locked
SELECT `updated`, `id` FROM `sales`.`customers` WHERE `id` = ? FOR UPDATE;
-- binds [Literal(0)]

-- counted
SELECT COUNT(*) FROM `sales`.`customers` WHERE (`co``de` = ? OR NOT (`data` = ?));
-- binds [Literal(0), Literal(1)]

-- existing
SELECT EXISTS (SELECT 1 FROM `sales`.`customers` WHERE (`co``de` = ? OR NOT (`data` = ?)));
-- binds [Literal(0), Literal(1)]

