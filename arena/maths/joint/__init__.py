"""Strengths fitted jointly with a tie parameter and the effects of covariates."""
