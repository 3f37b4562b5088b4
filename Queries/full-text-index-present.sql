-- Rule: full-text-index-present
-- Severity: info
-- Title: Full-text indexes that only Core Data can keep
-- Shows: FTS5 indexes with Core Data's own tokenizer, as iOS 27 and macOS 27 make them.
-- Why: Triggers write to the index with every change of the indexed table, and need a tokenizer that only Apple's
--   framework has. Every other program's INSERT, UPDATE and DELETE on that table fails with "no such tokenizer";
--   reading works.
-- Next launch: Nothing: on iOS 27, macOS 27 and later the framework uses the index.
-- Remedy: Let the app make changes to these tables; scripts that use SQL can only read them.
-- False positives: None known: other programs' full-text indexes have other tokenizers.
-- Evidence: Read in the strings of the frameworks of iOS 27, and tried with a copy of such a table.
-- Message: {count} {index|indexes} for full-text search, such as {index}: only Core Data can write to the indexed
--   tables.
SELECT name AS subject, name AS "index"
FROM main.sqlite_schema
WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' AND INSTR(sql, '_CoreDataTokenizer') > 0
ORDER BY name;
