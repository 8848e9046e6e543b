"""Arrays in, arrays out: strengths, intervals, ranks. Indices, never names."""
