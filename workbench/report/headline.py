"""The first screen of a report: who wins, in one sentence, with a figure."""

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.analyses import Experiment, Means, Verdict, answer_of
from workbench.analyses._shared.data_sets_answer import answer
from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of
from workbench.figures import RewardBySizeDisplay
from workbench.report.document import Picture
from workbench.report.findings import Findings
from workbench.report.means_picture import caption_of, means_picture
from workbench.report.sections._shared.pictures import pictures
from workbench.store.results import StudyResults

__all__ = ["Headline", "headline_of"]

POINT = "A point is the mean of one learner on one data set, over the parts of the design."
#: How designs split a data set, as format strings of the design's options.
PARTS = {
    "five_by_two": (
        "Each data set is halved five times; learners learn from each half and are tested on the other"
    ),
    "half_splits": (
        "Each data set is halved {times}; learners learn from one half and are tested on the other"
    ),
    "random_splits": (
        "Each data set is split {times}; learners learn from {train:.0%} of the rows and are tested on "
        "the others"
    ),
    "repeated_folds": (
        "Each data set is cut into {folds} folds, {times}; each fold is tested on after learning from the "
        "others"
    ),
}


@dataclass(frozen=True)
class Headline:
    """The first screen; see `Document` for its parts."""

    subtitle: str
    opening: str
    parts: tuple[str, ...]
    surety: str
    winners: tuple[str, ...]
    pictures: tuple[Picture, ...]
    caption: str


def headline_of(findings: Findings) -> Headline:
    """Return the first screen of a report on generating models or on data sets."""
    return _of_data_sets(findings) if findings.results.on_datasets else _of_models(findings)


def _of_models(findings: Findings) -> Headline:
    results, experiments = findings.results, findings.experiments
    verdict = Verdict.of(findings.differences) if findings.differences else None
    return Headline(
        subtitle=_subtitle(results),
        opening=verdict.opening if verdict else "",
        parts=verdict.clauses if verdict else (_why_not(results, experiments),),
        surety=verdict.surety if verdict else "",
        winners=verdict.winners if verdict else (),
        pictures=tuple(pictures(results, experiments, "reward_by_size")),
        caption=_caption(experiments),
    )


def _subtitle(results: StudyResults) -> str:
    design = results.study.design.options
    sources = results.study.source_keys
    learners = results.study.learner_keys
    replicates = results.cells().groupby("source", observed=True)["replicate"].nunique()
    n = (
        str(replicates.min())
        if replicates.min() == replicates.max()
        else f"{replicates.min()} to {replicates.max()}"
    )
    each = f" of each of {len(sources)} kinds" if len(sources) > 1 else " of 1 kind"
    sizes = ", ".join(str(size) for size in design.get("sizes", sorted(results.cells()["n_train"].unique())))
    return (
        f"{len(learners)} learners on {n} truths{each}; {sizes} training rows; "
        f"{design.get('n_test', '?')} test rows"
    )


def _why_not(results: StudyResults, experiments: Sequence[Experiment]) -> str:
    if experiments:
        return "There is one truth of each kind, so the uncertainty of differences is unknown."
    try:
        answer_of(results)
    except WorkbenchError as error:
        return f"There is no winner: {error}."
    return "There is nothing to compare."


def _caption(experiments: Sequence[Experiment]) -> str:
    """Return the caption of all panels of the first figure."""
    displays = [RewardBySizeDisplay(Means.of(one)) for one in experiments]
    if len(displays) == 1:
        return displays[0].caption
    notes = dict.fromkeys(note for display in displays for note in display.notes)
    return " ".join(["Each panel has a scale of its own.", *notes]) if displays else ""


def _of_data_sets(findings: Findings) -> Headline:
    results, tests = findings.results, findings.tests
    keys = list(tests)
    first = tests[keys[0]]
    sentence = answer(results, first)
    metrics = [key.metric for key in keys]
    drawn = [key for i, key in enumerate(keys) if key.metric not in metrics[:i]][:2]
    notes = dict.fromkeys(note for key in drawn for note in caption_of(tests[key]))
    return Headline(
        subtitle=_data_sets_subtitle(results),
        opening="",
        parts=(sentence,),
        surety="",
        winners=tuple(key for key in first[0].means.index if f" {key} wins " in f" {sentence} "),
        pictures=tuple(means_picture(tests[key]) for key in drawn),
        caption=" ".join([POINT, *notes]),
    )


def _data_sets_subtitle(results: StudyResults) -> str:
    cells, design = results.cells(), results.study.design
    parts = cells.groupby(["replicate", "fold"], observed=True).ngroups
    learners, data_sets = cells["learner"].nunique(), cells["source"].nunique()
    repeats = design.options.get("repeats", 0)
    times = {1: "once", 2: "twice"}.get(repeats, f"{repeats} times")
    how = PARTS.get(design.key, f"The design is {design.key}").format(times=times, **design.options)
    return (
        f"{count_of(learners, 'learner')} on {count_of(data_sets, 'data set')}. {how}: "
        f"{count_of(parts, 'part')} per data set."
    )
