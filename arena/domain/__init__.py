"""What the project talks about: frozen types, no input or output, no arrays.

`pydantic` models describe what people write in files (suites, agents, judges); frozen dataclasses
describe what the program makes of it (calls, transcripts, verdicts, boards).
"""
