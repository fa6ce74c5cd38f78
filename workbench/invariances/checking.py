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
    """Check which changes of the data change a classifier's forecasts, and by how much.

    The learner is fitted to generated rows, and again after a change of these rows, with the same seeds. The
    forecasts of the same 200 test rows are compared. Rows have six attributes and three classes. The
    attributes are nominal for learners that read categories (drawn from TAN truths, or from naive Bayes
    truths for the check "use of columns"), and numeric (from Gaussian naive Bayes truths) for learners that
    are given arrays. Names of values are always checked with nominal attributes, and transforms with numeric
    attributes.

    Parameters
    ----------
    estimator : classifier or str
        Any scikit-learn classifier, or a key of the catalogue such as "nb". The classifier is cloned and not
        fitted itself.
    input : {"categories", "table", "one_hot", "codes"}, optional
        The form in which a learner from outside this package receives nominal columns, as in
        `workbench.compare`. By default the form that suits the learner.
    checks : sequence of str, optional
        Names of the checks to run, as listed in the notes. By default all checks.
    n_rows : int, default 300
        Number of training rows, at least 50.
    n_truths : int, default 3
        Number of truths from which rows are drawn. Changes are averaged over truths.
    random_state : int, default 0
        Seed of the truths, the rows, the changes, and the learner.
    max_seconds : float, optional
        Time limit in seconds, without limit by default. After this time no further fit begins, and the
        remaining checks are left out.

    Returns
    -------
    Invariances
        The results, as `table`, `sentences` and `ignored_columns`. Notebooks show table and sentences.

    Raises
    ------
    WorkbenchError
        If the argument is not a single classifier, the classifier takes its forecasts from the truth, a check
        is unknown, or a number is out of range.

    See Also
    --------
    compare : Compares learners on truths or data sets.

    Notes
    -----
    The checks:

    - "refit": the same rows are fitted with other seeds, five times.
    - "order of rows", "order of columns", "names of values", "names of classes": permuted at random.
    - "weights": a fit with `sample_weight` from 1 to 3 is compared with a fit to rows that are repeated as
      often.
    - "constant column", "copied column", "irrelevant column": such a column is added.
    - "linear transform": the unit and the zero of each numeric column are changed.
    - "monotone transform": numbers are replaced by exponentials and cubes of standardized numbers.
    - "use of columns": the values of one column at a time are shuffled. If this changes nothing, the column
      is replaced by a strongly predictive attribute and shuffled again, because a learner that selects
      attributes may leave out a weak attribute without ignoring the column.
    - "memory": the learner is fitted to random labels. The probabilities of random labels are compared
      between training rows and new rows.

    The verdict is "unchanged" if no probability differs by more than 1e-6. It is "within its own noise" if
    the change is no larger than the changes by refits with other seeds. For this, the change on each truth is
    divided by the mean change by refits on this truth. The mean of these ratios over truths must not exceed
    the largest ratio of the change by one refit to the mean change by the other refits on the same truth.
    Learners with solvers that stop early are "changed" by small amounts. If the learner raises an error, the
    check has "failed" and the other checks go on. For "memory", the excess of the probability of training
    labels over its expected value is divided by the largest possible excess. A learner "memorizes in part"
    from a share of 0.1 on, and "memorizes" from 0.5 on.

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
        raise WorkbenchError(f"got {len(specs)} learners, expected one: check each separately")
    key, learner = specs[0].key, specs[0].build()
    given = learner.get_params(deep=False)
    if is_ours(learner) and any(given.get(name, "") is None for name in ("truth", "law")):
        raise WorkbenchError(
            f"learner {key!r} needs the truth or its law, which checks do not provide: give a learner that "
            "learns only from rows"
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
