-- one row, its key reported
INSERT INTO `sales`.`customers` (`co``de`, `data`, `token`, `version`, `updated`) VALUES (?, ?, ?, ?, ?);
-- binds [Stamped { columns: {1, 2, 3}, first: 0, count: 2 }]

-- one row, its key returned
-- Unsupported

-- rows, their keys a block
INSERT INTO `sales`.`customers` (`co``de`, `data`, `token`, `version`, `updated`) VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?);
-- binds [Stamped { columns: {1, 2, 3}, first: 0, count: 2 }]

-- rows, their keys returned
-- Unsupported

-- rows, keys given
INSERT INTO `sales`.`customers` (`id`, `co``de`) VALUES (?, ?), (?, ?);
-- binds [Rows { columns: {0, 1} }]

-- rows of defaults
INSERT INTO `sales`.`customers` () VALUES (), ();
-- binds [Rows { columns: {} }]

-- rows with composite keys
-- Unsupported

