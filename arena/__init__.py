"""Which agent is better, how sure are we, where does it fail, and what does it cost.

The floors, from the top: cli, pipeline, stages | site, llm | store, suites | judging,
domain | maths, errors. Imports only go down; import-linter checks it (see pyproject.toml).
"""

__version__ = "0.1.0"
