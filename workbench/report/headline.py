"""The first screen of a report: who wins, in one sentence, with a figure."""

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.analyses import Experiment, Means, answer_of
from workbench.analyses._shared.data_sets_answer import answer, leaders
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of, count_of
from workbench.figures import DataSetsDisplay, RewardBySizeDisplay
from workbench.report.document import Picture
from workbench.report.findings import Findings
from workbench.report.sections._shared.pictures import data_sets_picture, pictures
from workbench.report.standing_tables import standing_note, standing_tables
from workbench.report.table import Table
from workbench.report.words import score_notes
from workbench.store.failures import failures_by_learner
from workbench.store.results import StudyResults

__all__ = ["Headline", "headline_of", "meaning_of", "title_of"]

#: Most learners and kinds or data sets that a title names.
MOST_NAMES, FEW = 6, 4
#: Most learners whose failures the first screen explains.
MOST_FAILURES = 5

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
    "scikit_splits": "Each data set is split by scikit-learn's {method}",
    "repeated_folds": (
        "Each data set is cut into {folds} folds, {times}; each fold is tested on after learning from the "
        "others"
    ),
}


@dataclass(frozen=True)
class Headline:
    """The first screen; see `Document` for its parts."""

    title: str
    subtitle: str
    question: str
    meaning: str
    opening: str
    parts: tuple[str, ...]
    surety: str
    winners: tuple[str, ...]
    failures: tuple[str, ...]
    matrices: tuple[Table, ...]
    matrix_note: str
    pictures: tuple[Picture, ...]
    caption: str


def headline_of(findings: Findings) -> Headline:
    """Return the first screen of a report on generating models or on data sets."""
    return _of_data_sets(findings) if findings.results.on_datasets else _of_models(findings)


def _of_models(findings: Findings) -> Headline:
    results, experiments, verdict = findings.results, findings.experiments, findings.verdict
    tests, score = findings.differences, findings.score
    assert score is not None  # on generating models one is chosen
    return Headline(
        title=title_of(results),
        subtitle=_subtitle(results),
        question=_asked(results, score),
        meaning=meaning_of(results, experiments[0].score if experiments else score),
        opening=verdict.opening if verdict else "",
        parts=verdict.brief if verdict else (_why_not(results, experiments),),
        surety=verdict.surety if verdict else "",
        winners=verdict.winners if verdict else (),
        failures=_failures(results),
        matrices=standing_tables(tests) if tests else (),
        matrix_note=standing_note(tests) if tests else "",
        pictures=tuple(pictures(results, experiments, "reward_by_size")),
        caption=_caption(experiments),
    )


def title_of(results: StudyResults) -> str:
    """Say what was compared on what."""
    learners = results.study.compared_learners() or results.study.learner_keys
    sources = results.study.source_keys
    who = and_of(learners) if len(learners) <= MOST_NAMES else count_of(len(learners), "learner")
    if results.on_datasets:
        return f"{who} on {and_of(sources) if len(sources) <= FEW else count_of(len(sources), 'data set')}"
    kinds = [source for source in sources if source != "truths"]
    where = f"{and_of(kinds)} truths" if kinds else "generating models"
    return f"{who} on {where if len(kinds) <= FEW else f'{len(kinds)} kinds of truths'}"


def meaning_of(results: StudyResults, score: ScoreKey) -> str:
    """Explain a score and the words in its brackets."""
    notes = "; ".join(score_notes([score]))
    explained = results.metric(score.metric).explained(score.metric)
    return f"{explained}. {notes[:1].upper()}{notes[1:]}." if notes else f"{explained}."


def _asked(results: StudyResults, score: ScoreKey) -> str:
    better = "highest" if results.metric(score.metric).direction == "higher" else "lowest"
    if results.on_datasets:
        return f"Which learner has the {better} {score.words} on each data set?"
    sizes = and_of([str(size) for size in sorted(results.cells()["n_train"].unique())])
    return f"Which learner has the {better} {score.words} after learning from {sizes} rows?"


def _failures(results: StudyResults) -> tuple[str, ...]:
    """Report learners that failed, most of all once."""
    found = list(failures_by_learner(results))
    rest = len(found) - MOST_FAILURES
    if rest > 0:
        return (
            *found[:MOST_FAILURES],
            f"{count_of(rest, 'more learner')} failed: see Settings and provenance",
        )
    return tuple(found)


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
        f"Study {results.study.name}: {len(learners)} learners on {n} truths{each}; {sizes} training rows; "
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
    results = findings.results
    key, first = next(iter(findings.tests.items()))
    sentence = answer(results, first)
    return Headline(
        title=title_of(results),
        subtitle=_data_sets_subtitle(results),
        question=_asked(results, key),
        meaning=meaning_of(results, key),
        opening="",
        parts=(sentence,),
        surety="",
        winners=leaders(first),
        failures=_failures(results),
        matrices=standing_tables(first),
        matrix_note=standing_note(first),
        pictures=(data_sets_picture(first),),
        caption=DataSetsDisplay(first).caption,
    )


def _data_sets_subtitle(results: StudyResults) -> str:
    cells, design = results.cells(), results.study.design
    parts = cells.groupby(["replicate", "fold"], observed=True).ngroups
    learners, data_sets = cells["learner"].nunique(), cells["source"].nunique()
    repeats = design.options.get("repeats", 0)
    times = {1: "once", 2: "twice"}.get(repeats, f"{repeats} times")
    how = PARTS.get(design.key, f"The design is {design.key}").format(times=times, **design.options)
    return (
        f"Study {results.study.name}: {count_of(learners, 'learner')} on {count_of(data_sets, 'data set')}. "
        f"{how}: {count_of(parts, 'part')} per data set."
    )
