"""What several analyses share: experiments, tests on data sets, what learners answered."""
