"""bring: scripts that were followed by hand → transcripts."""
