"""The profile of a learner: what it loses where, next to others, in tables, pictures and words."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from workbench.base.errors import WorkbenchError, brief_errors, nearest
from workbench.base.seeds import canonical
from workbench.engine.progress import chosen
from workbench.estimators.inputs import input_of, is_ours
from workbench.invariances.checking import check_invariances
from workbench.profiles.costs import yardstick_on
from workbench.profiles.entrants import ENTRANTS
from workbench.profiles.findings import COMPANIONS, ProfileFindings, findings_of
from workbench.profiles.measure import measured, without_warnings
from workbench.profiles.paragraph import sentences_of
from workbench.profiles.part import SuitePart
from workbench.profiles.planning import check_first_fits, measured_in
from workbench.profiles.reference import Reference, read_reference
from workbench.profiles.scaling import scaling_of
from workbench.profiles.scores import CEILINGS
from workbench.profiles.spread import spread_of
from workbench.study.learner_spec import LearnerSpec, read_learners

if TYPE_CHECKING:
    from workbench.engine.progress import Progress
    from workbench.figures._shared.base import Display

__all__ = ["Profile", "profile"]

#: Shares of the minutes that may go to the checks of invariances, to the fits for bias and variance, and to
#: those for the cost of columns and classes.
CHECKING_SHARE, SPREAD_SHARE, SCALING_SHARE = 0.1, 0.1, 0.05
FORMS = {
    "categories": "nominal columns as categories",
    "table": "the data frame as it is",
    "one_hot": "nominal columns one-hot, a column for each value",
    "codes": "nominal columns as codes of their values",
}
AFTERWARDS = "now invariances, bias and variance, and the cost of columns and classes"
#: What is said where bias and variance are missing, and of a learner without probabilities.
NO_SPREAD = "Bias and variance were left out, because their fits would take too long or fail."
CERTAIN = "It has no predict_proba, so its predicted class counts as certain, except for the cut-off."


@dataclass(frozen=True, eq=False, repr=False)
class Profile(ProfileFindings):
    """Measured inductive bias of a learner.

    Attributes
    ----------
    learner : str
        Key of the learner.
    part : SuitePart
        The part of the suite of truths on which the learner was measured.
    scores : SuiteScores
        Scores of the learner and of the reference learners on this part.
    companions : tuple of str
        Keys of the reference learners that figures also show.
    kinds : KindsMap
        Regret of the learner on each kind of truth at each training size, and its rank among the reference
        learners.
    responses : Responses
        Regret of the learner over parameters, each from a level where an assumption holds to one where it
        fails.
    habits : Habits
        Caution (entropy) and overconfidence of the forecasts, and the most similar reference learners.
    needs : DataFrame
        Training rows needed for a share of the information that the truth provides over class frequencies.
    costs : Costs
        Seconds of fit and prediction.
    spread : DataFrame
        Bias and variance of the divergence from the truth. Empty if they were not computed.
    invariances : Invariances or None
        Which changes of the data change the forecasts. None if this was not checked.
    failed : DataFrame
        Cells without scores: learner, source, replicate, n_train, state, message.
    notes : tuple of str
        What was left out, and what failed for which reason, in sentences.

    See Also
    --------
    profile : Measures a learner.
    """

    @classmethod
    def of(cls, found: ProfileFindings) -> "Profile":
        """Return a profile with these findings."""
        return cls(*(getattr(found, field.name) for field in fields(found)))

    def __repr__(self) -> str:
        return f"Profile({self.learner!r} on {self.part.words})"

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The findings in plain words, the most important first."""
        return sentences_of(self)

    @property
    def paragraph(self) -> str:
        """The findings as one paragraph."""
        return " ".join(self.sentences)

    @brief_errors
    def table(self, name: str = "map") -> pd.DataFrame:
        """Return a copy of one of the tables.

        Parameters
        ----------
        name : str, default "map"
            Key of the table in `tables`.

        Returns
        -------
        DataFrame

        Raises
        ------
        WorkbenchError
            If the name is not in `tables`.
        """
        if name not in self.tables:
            raise WorkbenchError(f"a profile has no table {name!r}; {nearest(name, self.tables)}")
        return self.tables[name].copy()

    @brief_errors
    def plot(self, name: str = "map") -> "Display":
        """Draw a figure of the profile.

        Parameters
        ----------
        name : {"map", "probes", "habits"}
            "map" shows regret by kind of truth and training size, "probes" regret over parameters that break
            assumptions, and "habits" the confidence and caution of the forecasts.

        Returns
        -------
        Display
            The figure, as `figure_` and for `save(path)`.

        Raises
        ------
        WorkbenchError
            If the name is not one of these.
        """
        from workbench.profiles.displays import DISPLAYS

        if name not in DISPLAYS:
            raise WorkbenchError(f"a profile has no picture {name!r}; {nearest(name, DISPLAYS)}")
        return DISPLAYS[name](self).plot()

    @brief_errors
    def report(self, path: str | Path, *more: str | Path) -> Path:
        """Write the profile as a page.

        Parameters
        ----------
        path, *more : str or Path
            The files to write, ending in .html, .md, .tex or .csv.

        Returns
        -------
        Path
            The first file.

        Raises
        ------
        WorkbenchError
            If an ending is unknown, or a file cannot be written.
        """
        from workbench.profiles.document import document_of
        from workbench.report.renderers.forms import write_forms

        return write_forms(lambda: document_of(self), path, *more)

    def _repr_html_(self) -> str:
        from workbench.profiles.notebook import notebook_html

        return notebook_html(self)


@brief_errors
def profile(
    learner: Any,
    *,
    input: str | None = None,
    learners: Sequence[str] = COMPANIONS,
    minutes: float | None = 5.0,
    truths: int | None = None,
    largest: int | None = None,
    store: str | Path | None = None,
    n_jobs: int = 1,
    invariances: bool = True,
    progress: "Progress | bool | None" = None,
) -> Profile:
    """Measure the inductive bias of a classifier on random truths, next to reference learners.

    The learner is fitted to rows of a suite of truths. The scores of the reference learners on the same
    truths and rows are part of the package.

    Parameters
    ----------
    learner : classifier, str, or mapping of str to classifier
        Any unfitted scikit-learn classifier, or a key of the catalogue or of the arena, such as "nb" or
        "random_forest". A mapping with one item gives the learner a name.
    input : {"categories", "table", "one_hot", "codes"}, optional
        The form in which a learner from outside this package receives nominal columns, as in
        `workbench.compare`. By default the form that suits the learner.
    learners : sequence of str
        Reference learners that figures show next to the learner, such as "nb", "tan", "boosting".
    minutes : float or None, default 5
        Time for the profile, in minutes. It determines how large a part of the suite is used, after a few
        fits are timed. None uses the whole suite.
    truths, largest : int, optional
        The part of the suite, instead of `minutes`: the number of truths of each place (each combination of
        kind, width and difficulty), at least 2, and the largest training size. The same part gives the same
        results on every machine, except for run times.
    store : str or Path, optional
        A file that keeps the scores, so that the same call resumes.
    n_jobs : int
        Number of worker processes, -1 for one per core. Scores do not depend on it. With `minutes`, the part
        of the suite may depend on it.
    invariances : bool
        Whether to run the checks of `workbench.check_invariances`, too.
    progress : optional
        Reports of progress, as in `workbench.run`.

    Returns
    -------
    Profile

    Raises
    ------
    WorkbenchError
        If the argument is not a classifier, a reference learner is unknown, the reference results are
        damaged, or even the smallest part of the suite would take longer than `minutes`.
    KeyboardInterrupt
        On Ctrl-C. With a store, the same call resumes.

    See Also
    --------
    check_invariances : Checks which changes of the data change forecasts.
    compare : Compares learners on given truths or data sets.

    Notes
    -----
    All losses are Kullback-Leibler divergences from the truth, in bits, after the cut-off of
    2002, which moves probabilities away from 0 and 1. A cell in which the learner fails is scored as if the
    learner had forecast the class frequencies.

    Examples
    --------
    >>> from sklearn.naive_bayes import BernoulliNB
    >>> from workbench import profile
    >>> found = profile(BernoulliNB(), minutes=10, n_jobs=2)  # doctest: +SKIP
    >>> print(found.paragraph)  # doctest: +SKIP
    """
    reference = read_reference()
    spec = _named(_one(learner, input), reference)
    learners = _companions(learners, reference)
    _check_minutes(minutes)
    part, seconds, shown = SuitePart.named(truths, largest), None, chosen(progress)
    if part is None and minutes is not None:
        seconds = 60 * float(minutes)
        own = measured_in(minutes, spec, store=store, n_jobs=n_jobs, progress=shown)
    else:
        part = part or SuitePart.whole()
        check_first_fits([spec], part, store=store, n_jobs=n_jobs)
        own = measured([spec], part, store=store, n_jobs=n_jobs, progress=shown)
    if own.mostly_failed:
        raise WorkbenchError(f"learner {spec.key!r} cannot be profiled: {own.mostly_failed}")
    shown.note(AFTERWARDS)
    checked = None
    if invariances:
        checked = check_invariances(
            {spec.key: spec.build()}, input=spec.input, max_seconds=_share(seconds, CHECKING_SHARE)
        )
    with without_warnings():
        spread = spread_of(spec, companions=learners, n_jobs=n_jobs, seconds=_share(seconds, SPREAD_SHARE))
    found = Profile.of(
        findings_of(
            own,
            reference,
            identity=spec.identity,
            companions=learners,
            invariances=checked,
            spread=spread,
            scaling=scaling_of(spec, seconds=_share(seconds, SCALING_SHARE)),
            yardstick=yardstick_on(own.part, n_jobs=n_jobs),
        )
    )
    return replace(found, notes=(*_what_it_is(spec), *found.notes, *([] if len(spread) else [NO_SPREAD])))


def _what_it_is(spec: LearnerSpec) -> Iterator[str]:
    """Say in which form it was given rows, and whether it gives probabilities."""
    learner = spec.build()
    if not is_ours(learner):
        yield f"Its input was {FORMS[spec.input or input_of(learner)]}. Another `input` may change its bias."
    if not hasattr(learner, "predict_proba"):
        yield CERTAIN


def _one(learner: Any, input: str | None) -> LearnerSpec:
    """Return the one learner that is named or given, which must learn from rows alone."""
    if isinstance(learner, str) and learner in ENTRANTS:
        learner = ENTRANTS[learner].with_options(input=input)
    specs = (learner,) if isinstance(learner, LearnerSpec) else read_learners(learner, input)
    if len(specs) != 1:
        raise WorkbenchError(f"got {len(specs)} learners, but a profile is of one: profile each separately")
    (spec,) = specs
    if spec.learner in (*CEILINGS, "optimal_mixture"):
        raise WorkbenchError(
            f"learner {spec.key!r} is a yardstick, which every profile has: give a learner that learns from "
            "rows"
        )
    return spec


def _share(seconds: float | None, share: float) -> float | None:
    return None if seconds is None else share * seconds


def _named(spec: LearnerSpec, reference: Reference) -> LearnerSpec:
    """Return the learner under a key that no other learner of the reference results has."""
    key = spec.key
    same = [one for one in CEILINGS if canonical(reference.identities.get(one)) == canonical(spec.identity)]
    if same:
        raise WorkbenchError(
            f"learner {key!r} is the yardstick {same[0]!r}: give a learner that learns from rows"
        )
    if key in reference.learners and canonical(reference.identities[key]) != canonical(spec.identity):
        return replace(spec, key=f"{key}_2")
    return spec


def _companions(learners: Sequence[str], reference: Reference) -> tuple[str, ...]:
    """Return reference learners by their keys; of the usual ones those that there are."""
    if isinstance(learners, str):
        raise WorkbenchError(
            f"learners is {learners!r}: expected a list of reference learners, [{learners!r}]"
        )
    if tuple(learners) == COMPANIONS:
        return tuple(key for key in learners if key in reference.learners)
    for key in learners:
        if key not in reference.learners:
            raise WorkbenchError(
                f"unknown reference learner {key!r}; {nearest(str(key), reference.learners)}"
            )
    return tuple(dict.fromkeys(learners))


def _check_minutes(minutes: float | None) -> None:
    is_number = isinstance(minutes, Real) and not isinstance(minutes, bool)
    if minutes is not None and not (is_number and 0 < minutes < math.inf):
        raise WorkbenchError(
            f"minutes is {minutes!r}: expected a number above 0, or None for all of the suite"
        )
