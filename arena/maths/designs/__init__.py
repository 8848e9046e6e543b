"""Which comparisons to buy, when to stop, and how many scenarios it takes."""
