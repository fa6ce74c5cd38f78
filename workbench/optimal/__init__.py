"""The best forecasts that any learner could make after some rows, given the law that drew their truth."""
