\echo '-- The same number of keys of version 4 and of version 7. The pages with version 4 are about two thirds full.'
SELECT index::text, pg_size_pretty(pg_relation_size(index)) AS size, count(*) AS leaf_pages, round(avg(100 - free_size / 81.52)) AS percent_full
FROM unnest('{key_v4_pkey,key_v7_pkey}'::regclass[]) index,
     generate_series(1, pg_relation_size(index) / 8192 - 1) page, bt_page_stats(index::text, page)
WHERE type = 'l' GROUP BY index ORDER BY 1;
\echo 'target/play/index.svg shows both indexes. In indexes larger than memory, the difference is greater: docs/locality.md.'
