"""Words in, exit code out. The only floor that knows typer and rich, the clock and the terminal."""
