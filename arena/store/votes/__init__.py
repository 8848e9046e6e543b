"""Votes that were imported: rows by the million, checked, kept, opened and written by SQL alone."""
