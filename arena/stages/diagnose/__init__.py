"""diagnose: verdicts and scores → what may be wrong with the judges, kept beside the board."""
