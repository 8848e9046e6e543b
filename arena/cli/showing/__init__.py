"""What `arena show` shows: one thing a file, as a table or text and as one document."""
