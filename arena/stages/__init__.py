"""Use cases: read the store, decide, ask, write the store. One verb a file; none imports another.

A stage can be repeated alone: what is there already is not asked again.
"""
