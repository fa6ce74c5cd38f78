"""Shared code of analyses: experiments, tests on data sets, stored forecasts."""
