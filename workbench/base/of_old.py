"""What programs of old did with the rows of a data set: words of a learner's entry."""

__all__ = ["ALL_ROWS", "AS_SPLIT", "FILE_ORDER", "OF_OLD", "TRAINING"]

#: In which order test rows are scored, and on which rows numbers are cut.
AS_SPLIT, FILE_ORDER = "as_split", "file_order"
TRAINING, ALL_ROWS = "training", "all_rows"
#: The words of each option; the first is the default.
OF_OLD = {"test_rows": (AS_SPLIT, FILE_ORDER), "cut_on": (TRAINING, ALL_ROWS)}
