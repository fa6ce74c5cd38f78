"""The tests that decide, in words."""

__all__ = ["DECIDING", "PAPERS", "TESTS"]

#: The tests by name.
TESTS = {
    "paired": "the paired t test over truths",
    "five_by_two": "Alpaydin's combined 5x2cv F test",
    "corrected": "Nadeau and Bengio's corrected resampled t test",
}
_PAIRS = "at 5% with Holm's correction over the pairs of each data set"
#: What decides who wins.
DECIDING = {
    "intervals": "the simultaneous 95% intervals of paired differences (Bonferroni)",
    "five_by_two": f"{TESTS['five_by_two']} {_PAIRS}",
    "corrected": f"{TESTS['corrected']} {_PAIRS}",
}
#: The papers' test: uncorrected, however many pairs there are.
PAPERS = {
    "five_by_two": "Dietterich's 5x2cv t test at 5%, uncorrected",
    "corrected": f"{TESTS['corrected']} at 5%, without Holm's correction",
}
