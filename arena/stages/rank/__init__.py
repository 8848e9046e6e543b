"""rank: comparisons → board. `rank` reads the store, `from_outcomes` files; `board` assembles.

Nothing is imported here: who ranks a file must not wait for what a workspace needs.
"""
