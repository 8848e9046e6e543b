"""Figures for reports and slides, as files: ratings, win matrix, domains, cost, absolute score.

The page draws its own small inline SVG; matplotlib is used here alone, and inside functions.
"""
