"""Taking in what others made: imported records become rows, marked as such."""
