"""The first screen of a report: who wins, in one sentence, with a figure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.analyses import Means, PairedScores, answer_of
from workbench.analyses._shared.data_sets_answer import answer, leaders
from workbench.analyses._shared.partial_results import partial_note
from workbench.analyses._shared.subjects import truths_of
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name, source_name, spoken_name
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of, capitalized, count_of
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
    """Return the first screen of a report."""
    results, tests, verdict = findings.results, findings.comparisons, findings.verdict
    score, has_sizes = next(iter(findings.tests)), results.design.blocks.has_sizes
    tested = any(one.tested for one in tests)
    subtitle = _subtitle(results) if has_sizes else _parts_subtitle(results)
    more = partial_note(results)
    found = Headline(
        title=title_of(results),
        subtitle=f"{subtitle.rstrip('.')}. {more}" if more else subtitle,
        question=_asked(results, score),
        meaning=meaning_of(results, score),
        opening="",
        parts=(),
        surety="",
        winners=tuple(map(spoken_name, leaders(tests))),
        failures=tuple(failure_notes(results, ALL_FAILURES)),
        matrices=standing_tables(tests) if tested else (),
        matrix_note=standing_note(tests) if tested else "",
        pictures=(),
        caption="",
    )
    if not has_sizes:
        answered = replace(found, parts=(answer(results, tests),))
        return replace(answered, pictures=(data_sets_picture(tests),), caption=DataSetsDisplay(tests).caption)
    drawn = tuple(pictures(results, findings.experiments, "reward_by_size"))
    found = replace(found, pictures=drawn, caption=_caption(findings.experiments))
    if verdict is None:
        return replace(found, parts=(_why_not(results, findings.experiments),))
    return replace(found, opening=verdict.opening, parts=verdict.brief, surety=verdict.surety)


def title_of(results: StudyResults) -> str:
    """Say what was compared on what."""
    learners = results.study.compared_learners() or results.study.learner_keys
    sources = results.study.source_keys
    who = (
        and_of(list(map(learner_name, learners)))
        if len(learners) <= MOST_NAMES
        else count_of(len(learners), "learner")
    )
    by = results.design.blocks
    if not by.truth_known:
        return f"{who} on {and_of(sources) if len(sources) <= FEW else f'{len(sources)} {by.sources}'}"
    if len(sources) > FEW:
        return f"{who} on {len(sources)} kinds of truths"
    if list(sources) == ["truths"]:
        return f"{who} on {count_of(results.cells()['replicate'].nunique(), 'truth')}"
    return f"{who} on {truths_of(and_of(list(map(source_name, sources))))}"


def meaning_of(results: StudyResults, score: ScoreKey) -> str:
    """Explain a score and the words in its brackets."""
    notes = ". ".join(capitalized(line) for line in score_notes([score]))
    explained = results.metric(score.metric).explained(score.name)
    return f"{explained}. {notes}." if notes else f"{explained}."


def _asked(results: StudyResults, score: ScoreKey) -> str:
    if len(results.study.compared_learners()) == 1:
        return ""
    better = "highest" if results.metric(score.metric).direction == "higher" else "lowest"
    by = results.design.blocks
    if not by.has_sizes:
        return f"Which learner has the {better} {score.words} on each {by.source}?"
    sizes = and_of([str(size) for size in sorted(results.cells()["n_train"].unique())])
    return f"Which learner has the {better} {score.words} with {sizes} training rows?"


def _subtitle(results: StudyResults) -> str:
    design = results.study.design
    sources = results.study.source_keys
    replicates = results.cells().groupby("source", observed=True)["replicate"].nunique()
    low, high = int(replicates.min()), int(replicates.max())
    n = count_of(low, "truth") if low == high else f"{low} to {high} truths"
    each = f" of each of {len(sources)} kinds" if len(sources) > 1 else ""
    sizes = ", ".join(str(size) for size in design.get("sizes", sorted(results.cells()["n_train"].unique())))
    return (
        f"Study {results.study.name}: {results.study.counted_learners} on {n}{each}, {sizes} training rows, "
        f"{design.get('n_test', '?')} test rows"
    )


def _why_not(results: StudyResults, experiments: Sequence[PairedScores]) -> str:
    learners = results.study.compared_learners()
    if len(learners) == 1:
        return f"The only learner is {spoken_name(learners[0])}. Its means are under All measures."
    if experiments:
        return "There is one truth of each kind, so the uncertainty of differences is unknown."
    try:
        answer_of(results)
    except WorkbenchError as error:
        return f"There is no winner: {error}."
    return "There is nothing to compare."


def _caption(experiments: Sequence[PairedScores]) -> str:
    """Return the caption of all panels of the first figure."""
    displays = [RewardBySizeDisplay(Means.of(one)) for one in experiments]
    if len(displays) == 1:
        return displays[0].caption
    notes = dict.fromkeys(note for display in displays for note in display.notes)
    return " ".join(["Each panel has its own scale.", *notes]) if displays else ""


def _parts_subtitle(results: StudyResults) -> str:
    cells, design, by = results.cells(), results.study.design, results.design.blocks
    parts = cells.groupby(list(by.key), observed=True).ngroups
    sources = cells["source"].nunique()
    how = results.design.how.format(results.design) or f"The design is {design['kind']}"
    return (
        f"Study {results.study.name}: {results.study.counted_learners} on "
        f"{count_of(sources, by.source, by.sources)}. "
        f"{how}: {count_of(parts, by.one, by.many)} per {by.source}."
    )
