"""Floor between store and stages: which comparisons are intended.

Here the names of agents and scenarios become the indices of `maths.designs` and back, and the
plan in force is found in the store or made. Every stage that compares, counts or shows
comparisons asks here, so that all of them mean the same ones.
"""
