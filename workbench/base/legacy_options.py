"""Former programs' treatment of the rows of a data set: options of a learner's entry."""

__all__ = ["ALL_ROWS", "AS_SPLIT", "FILE_ORDER", "LEAK", "LEGACY_OPTIONS", "TRAINING"]

#: In which order test rows are scored, and on which rows numbers are cut.
AS_SPLIT, FILE_ORDER = "as_split", "file_order"
TRAINING, ALL_ROWS = "training", "all_rows"
#: What is said of a learner whose numbers were cut on all rows.
LEAK = "; numbers cut on all rows, so the classes of test rows leak: no fair comparison"
#: The words of each option; the first is the default.
LEGACY_OPTIONS = {"test_rows": (AS_SPLIT, FILE_ORDER), "cut_on": (TRAINING, ALL_ROWS)}
