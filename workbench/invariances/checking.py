"""Check on generated rows what should not change a classifier."""

import math
import time
from collections.abc import Sequence
from typing import Any

from workbench.base.checks import as_integer
from workbench.base.errors import WorkbenchError, brief_errors, check_known
from workbench.base.text import error_line
from workbench.estimators.inputs import input_of, is_ours
from workbench.invariances.family import CHECKS, Check
from workbench.invariances.finding import FAILED, LEFT_OUT, Finding
from workbench.invariances.fits import FreshFits, OutOfTime
from workbench.invariances.result import Invariances, invariances_of
from workbench.invariances.trials import Trials
from workbench.study.learner_spec import LearnerSpec, read_learners

__all__ = ["check_invariances"]

#: Fewer rows may lack a class or a value.
FEWEST_ROWS = 50


@brief_errors
def check_invariances(
    estimator: Any,
    *,
    input: str | None = None,
    checks: Sequence[str] | None = None,
    n_rows: int = 300,
    n_truths: int = 3,
    random_state: int = 0,
    max_seconds: float | None = None,
) -> Invariances:
    """Check what changes a classifier's forecasts, and by how much.

    The learner is fitted to generated rows and again after a change, with equal seeds, and the forecasts of
    the same 200 test rows are compared. Rows have six attributes and three classes. They are nominal (TAN
    truths, naive Bayes truths for the use of columns) for learners that read categories, and numeric
    (Gaussian naive Bayes truths) for those that are given arrays; names of values are checked on nominal
    rows, transforms on numeric ones.

    Parameters
    ----------
    estimator : classifier or str
        Any scikit-learn classifier, or a key of the catalogue such as "nb"; cloned, never fitted itself.
    input : {"categories", "table", "one_hot", "codes"}, optional
        What a learner that is not ours is given, as in `workbench.compare`; by default what suits it.
    checks : sequence of str, optional
        Which checks; by default all of them, as listed in the notes.
    n_rows : int, default 300
        Rows to learn from, at least 50.
    n_truths : int, default 3
        Truths from which rows are drawn; changes are averaged over them.
    random_state : int, default 0
        Decides truths, rows, changes, and the seeds of the learner.
    max_seconds : float, optional
        When so much time has passed no further fit begins, and the remaining checks are left out.

    Returns
    -------
    Invariances
        With `table`, `sentences` and `ignored_columns`; notebooks show both.

    Raises
    ------
    WorkbenchError
        If it is not a classifier, or not one only, or takes its forecasts from the truth; if a check is
        unknown, or a number not as above.

    See Also
    --------
    compare : Runs learners on problems whose truth is known.

    Notes
    -----
    The checks:

    - "refit": the same rows with other seeds, five times;
    - "order of rows", "order of columns", "names of values", "names of classes": exchanged at random;
    - "weights": `sample_weight` 1 to 3 against rows that are repeated as often;
    - "constant column", "copied column", "irrelevant column": added to the others;
    - "linear transform": each column of numbers gets another unit and zero; "monotone transform":
      exponentials and cubes of standardized numbers;
    - "use of columns": each column shuffled by itself. One whose shuffling changes nothing is replaced by a
      strong attribute and shuffled again, as a learner that selects attributes does not ignore it;
    - "memory": the probability of labels that are noise, of training rows and of others.

    The verdict is "unchanged" if no probability differs by more than 1e-6. It is "within its own noise" if
    the change is no larger than those of refits: the mean over truths, in units of a truth's mean refit, is
    held against the largest single refit, in units of the others. Solvers that stop early are "changed" by
    small amounts. If the learner raises, the check has "failed" and the others go on. What a learner
    memorizes is the share of the way from the expected probability of the labels to 1: from a tenth in part,
    from a half altogether.

    Examples
    --------
    >>> found = check_invariances("nb", checks=["order of rows", "order of columns", "copied column"])
    >>> found.sentences[0]
    'Unchanged by the order of rows and columns.'
    >>> found.table["verdict"].tolist()
    ['unchanged', 'unchanged', 'changed']
    """
    spec = _read(estimator, input)
    key, learner = spec.key, spec.build()
    chosen = _chosen(checks)
    for name, value, least in (("n_rows", n_rows, FEWEST_ROWS), ("n_truths", n_truths, 1)):
        if as_integer(value) is None or value < least:
            raise WorkbenchError(f"{name} is {value!r}: expected an integer of at least {least}")
    if as_integer(random_state) is None:
        raise WorkbenchError(f"random_state is {random_state!r}: expected an integer")
    fits = FreshFits(learner, int(random_state), time.monotonic() + _seconds(max_seconds), spec.input)
    # given arrays in which nominal attributes take several columns
    reads_numbers = not is_ours(learner) and (spec.input or input_of(learner)) == "one_hot"
    trials = Trials(fits, reads_numbers, int(n_rows), int(n_truths), int(random_state))
    return invariances_of(key, [(check, check.kind(trials), _found(check, trials)) for check in chosen])


def _read(estimator: Any, input: str | None) -> LearnerSpec:
    """Return the learner with its key and what it is given."""
    specs = read_learners(estimator, input)
    if len(specs) != 1:
        raise WorkbenchError(f"got {len(specs)} learners: expected one; check each separately")
    key, learner = specs[0].key, specs[0].build()
    given = learner.get_params(deep=False)
    if is_ours(learner) and any(given.get(name, "") is None for name in ("truth", "law")):
        raise WorkbenchError(
            f"learner {key!r} is told how rows were drawn, which no check does: give one that learns from "
            "rows"
        )
    return specs[0]


def _chosen(checks: Sequence[str] | None) -> tuple[Check, ...]:
    """Return the checks by name, in the order of the table."""
    if checks is None:
        return CHECKS
    if isinstance(checks, str) or not checks:
        raise WorkbenchError(f"checks is {checks!r}: expected a list of names, such as ['order of rows']")
    check_known("check", checks, [check.name for check in CHECKS])
    return tuple(check for check in CHECKS if check.name in checks)


def _seconds(most: float | None) -> float:
    if most is None:
        return math.inf
    if isinstance(most, bool) or not isinstance(most, int | float) or not most >= 0:
        raise WorkbenchError(
            f"max_seconds is {most!r}: expected a number of at least 0, or None for no limit"
        )
    return float(most)


def _found(check: Check, trials: Trials) -> Finding:
    try:
        return check.find(trials)
    except OutOfTime:
        return Finding(LEFT_OUT)
    except Exception as error:  # whatever a learner raises ends this check alone
        return Finding(FAILED, note=error_line(error))
