"""Files of outcomes, read through a DuckDB of their own: rows, folded, counted, as arrays."""
