"""What several analyses share: experiments, tests on data sets, stored forecasts."""
