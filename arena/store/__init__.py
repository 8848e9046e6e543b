"""DuckDB: what was measured. The only package that names it.

Every table states its grain and is only ever added to: a row is written by exactly one stage and
never updated. One process writes; `writer` commits what finished calls bring in small batches.
The verbs are the same for every table: `add` (rows to write), `todo` (what is wanted and not
there), `all` (what is there).
"""
