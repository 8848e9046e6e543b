"""Agents that are products: plain providers, one file for each way to reach one.

`http` is a product with a web API of its own (with `wire`, `asking_again`, `stream`, `signing`,
`bodies` and `parts` as its parts), `command` a program on this machine, `replay` transcripts that
were made elsewhere.
"""
