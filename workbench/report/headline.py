"""The first screen of a report: who wins, in one sentence, with a figure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.analyses import Experiment, Means, answer_of
from workbench.analyses._shared.data_sets_answer import answer, leaders
from workbench.analyses._shared.so_far import so_far
from workbench.analyses._shared.subjects import truths_of
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of, count_of
from workbench.figures import DataSetsDisplay, RewardBySizeDisplay
from workbench.report.document import Picture
from workbench.report.findings import Findings
from workbench.report.sections._shared.pictures import data_sets_picture, pictures
from workbench.report.standing_tables import standing_note, standing_tables
from workbench.report.table import Table
from workbench.report.words import failure_notes, score_notes
from workbench.store.results import StudyResults

__all__ = ["Headline", "headline_of", "meaning_of", "title_of"]

#: Most learners and kinds or data sets that a title names.
MOST_NAMES, FEW = 6, 4
#: Where a report has all failures.
ALL_FAILURES = "Settings and provenance"

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
    """Return the first screen of a report on truths or on data sets."""
    found = _of_data_sets(findings) if findings.results.on_datasets else _of_truths(findings)
    part = so_far(findings.results)
    return replace(found, subtitle=f"{found.subtitle.rstrip('.')}. {part}") if part else found


def _of_truths(findings: Findings) -> Headline:
    results, experiments, verdict = findings.results, findings.experiments, findings.verdict
    tests = findings.differences
    score = experiments[0].score if experiments else results.choose(findings.score)
    return Headline(
        title=title_of(results),
        subtitle=_subtitle(results),
        question=_asked(results, score),
        meaning=meaning_of(results, score),
        opening=verdict.opening if verdict else "",
        parts=verdict.brief if verdict else (_why_not(results, experiments),),
        surety=verdict.surety if verdict else "",
        winners=verdict.winners if verdict else (),
        failures=tuple(failure_notes(results, ALL_FAILURES)),
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
    if len(sources) > FEW:
        return f"{who} on {len(sources)} kinds of truths"
    if list(sources) == ["truths"]:
        return f"{who} on {count_of(results.cells()['replicate'].nunique(), 'truth')}"
    return f"{who} on {truths_of(and_of(sources))}"


def meaning_of(results: StudyResults, score: ScoreKey) -> str:
    """Explain a score and the words in its brackets."""
    notes = "; ".join(score_notes([score]))
    explained = results.metric(score.metric).explained(score.metric)
    return f"{explained}. {notes[:1].upper()}{notes[1:]}." if notes else f"{explained}."


def _asked(results: StudyResults, score: ScoreKey) -> str:
    if len(results.study.compared_learners()) == 1:
        return ""
    better = "highest" if results.metric(score.metric).direction == "higher" else "lowest"
    if results.on_datasets:
        return f"Which learner has the {better} {score.words} on each data set?"
    sizes = and_of([str(size) for size in sorted(results.cells()["n_train"].unique())])
    return f"Which learner has the {better} {score.words} after learning from {sizes} rows?"


def _subtitle(results: StudyResults) -> str:
    design = results.study.design
    sources = results.study.source_keys
    learners = results.study.learner_keys
    replicates = results.cells().groupby("source", observed=True)["replicate"].nunique()
    low, high = int(replicates.min()), int(replicates.max())
    n = count_of(low, "truth") if low == high else f"{low} to {high} truths"
    each = f" of each of {len(sources)} kinds" if len(sources) > 1 else ""
    sizes = ", ".join(str(size) for size in design.get("sizes", sorted(results.cells()["n_train"].unique())))
    return (
        f"Study {results.study.name}: {count_of(len(learners), 'learner')} on {n}{each}; {sizes} training "
        f"rows; {design.get('n_test', '?')} test rows"
    )


def _why_not(results: StudyResults, experiments: Sequence[Experiment]) -> str:
    learners = results.study.compared_learners()
    if len(learners) == 1:
        return f"Only {learners[0]} is compared: its means are under All measures."
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
    compared = any(one.tested for one in first)
    return Headline(
        title=title_of(results),
        subtitle=_data_sets_subtitle(results),
        question=_asked(results, key),
        meaning=meaning_of(results, key),
        opening="",
        parts=(answer(results, first),),
        surety="",
        winners=leaders(first),
        failures=tuple(failure_notes(results, ALL_FAILURES)),
        matrices=standing_tables(first) if compared else (),
        matrix_note=standing_note(first) if compared else "",
        pictures=(data_sets_picture(first),),
        caption=DataSetsDisplay(first).caption,
    )


def _data_sets_subtitle(results: StudyResults) -> str:
    cells, design = results.cells(), results.study.design
    parts = cells.groupby(["replicate", "fold"], observed=True).ngroups
    learners, data_sets = cells["learner"].nunique(), cells["source"].nunique()
    repeats = design.get("repeats", 0)
    times = {1: "once", 2: "twice"}.get(repeats, f"{repeats} times")
    how = PARTS.get(design["kind"], f"The design is {design['kind']}").format(times=times, **design)
    return (
        f"Study {results.study.name}: {count_of(learners, 'learner')} on {count_of(data_sets, 'data set')}. "
        f"{how}: {count_of(parts, 'part')} per data set."
    )
