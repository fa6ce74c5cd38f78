"""Gather what a report says: the answer, figures, tables, tests, settings, provenance."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from workbench.analyses import Differences, Experiment, Means, Variance, Verdict, answer_of, experiments_of
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.figures import ExperimentDisplay, RewardBySizeDisplay
from workbench.report.document import Document, Number, Part, Picture, Section, Table, Text
from workbench.report.length import kept_short
from workbench.report.sections.checks import checks_of
from workbench.report.sections.settings import runs_of, settings_of
from workbench.report.sections.study_content import is_tall, study_figures, study_parts
from workbench.report.sections.tables import anova_table, differences_table, means_table, tally_table
from workbench.report.sections.tables_content import tables_document
from workbench.report.sections.truths import truths_of
from workbench.report.terminal.summary import legend, summary_frame
from workbench.report.words import source_word, word
from workbench.store.results import StudyResults

__all__ = ["gather"]

FIRST = "reward_by_size"


def gather(results: StudyResults, score: ScoreKey | str | None = None) -> Document:
    """Compute everything that a report says."""
    ends = (Section("Settings and provenance", tuple(settings_of(results))),)
    footer = f"Seed {results.study.seed}; {runs_of(results)}."
    if results.on_datasets:
        if any(ScoreKey.parse(score)):
            raise WorkbenchError("a report on tables shows all scores of the study: leave out which to go by")
        checks = Section("Checks", tuple(checks_of(results, ())))
        return kept_short(tables_document(results, (checks, *ends), footer))
    return kept_short(_of_truths(results, results.choose(score), ends, footer))


def _of_truths(results: StudyResults, score: ScoreKey, ends: Sequence[Section], footer: str) -> Document:
    experiments = _experiments(results, score)
    second = _second(results, experiments[0].score if experiments else None)
    again = _experiments(results, second) if second else ()
    differences = _possible(Differences.of, experiments)
    verdict = Verdict.of(differences) if differences else None
    sections = (
        Section("Scores", tuple(_scores(results, experiments, again))),
        Section("Differences", tuple(_differences(results, experiments, differences))),
        Section("Across the study", tuple(study_parts(results, experiments))),
        Section("Analysis of variance", tuple(_variances(results, experiments, again))),
        Section("Other figures", tuple(_other_figures(results, experiments))),
        Section("All measures", tuple(_measures(results))),
        Section("Truths", tuple(truths_of(results))),
        Section("Checks", tuple(checks_of(results, experiments))),
        *ends,
    )
    return Document(
        title=results.study.name,
        subtitle=_subtitle(results),
        opening=verdict.opening if verdict else "",
        parts=verdict.told if verdict else (_why_not(results, experiments),),
        surety=verdict.surety if verdict else "",
        winners=verdict.winners if verdict else (),
        pictures=tuple(_pictures(results, experiments, FIRST)),
        caption=_caption(experiments),
        sections=tuple(section for section in sections if section.parts),
        footer=footer,
    )


def _experiments(results: StudyResults, score: ScoreKey) -> tuple[Experiment, ...]:
    found: list[Experiment] = []
    for source in results.study.source_keys:
        try:
            found += experiments_of(results, score=score, source=source)
        except WorkbenchError:
            continue  # fewer than two learners here: the tables of all measures still stand
    return tuple(found)


def _second(results: StudyResults, first: ScoreKey | None) -> ScoreKey | None:
    """Choose the score of the papers beside an exact one: the test rows, against the training prior."""
    if first is None or first.rows != "exact":
        return None
    for prior in ("training", first.prior):
        key = first._replace(prior=prior, rows="test")
        if key in results.score_keys:
            return key
    return None


def _possible(make: Callable[[Experiment], Any], experiments: Iterable[Experiment]) -> list[Any]:
    made = []
    for experiment in experiments:
        try:
            made.append(make(experiment))
        except WorkbenchError:
            continue
    return made


def _why_not(results: StudyResults, experiments: Sequence[Experiment]) -> str:
    if experiments:
        return "There is one truth of each kind, so that nothing can be said about how sure a difference is."
    try:
        answer_of(results)
    except WorkbenchError as error:
        return f"No learner can be said to win: {error}."
    return "There is nothing to compare."


def _caption(experiments: Sequence[Experiment]) -> str:
    """Say of all panels of the first figure what each of them would."""
    displays = [RewardBySizeDisplay(Means.of(one)) for one in experiments]
    if len(displays) == 1:
        return displays[0].caption
    notes = dict.fromkeys(note for display in displays for note in display.notes)
    return " ".join(["Each panel has a scale of its own.", *notes]) if displays else ""


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


def _scores(
    results: StudyResults, experiments: Sequence[Experiment], again: Sequence[Experiment]
) -> Iterator[Part]:
    for experiment in experiments:
        yield means_table(Means.of(experiment))
    if again:
        yield Text(
            "The same on a sample of test rows, against the class frequencies of the training rows, as "
            "Hope and Korb (2004) score. That prior moves with the size, and so do the rewards."
        )
    yield from _pictures(results, again, FIRST)
    for experiment in again:
        yield means_table(Means.of(experiment))


def _differences(
    results: StudyResults, experiments: Sequence[Experiment], differences: Sequence[Differences]
) -> Iterator[Part]:
    if differences:
        yield tally_table(differences)
    yield from _pictures(results, experiments, "paired_differences")
    for one in differences:
        yield differences_table(one)


def _variances(
    results: StudyResults, experiments: Sequence[Experiment], again: Sequence[Experiment]
) -> Iterator[Part]:
    for group in (experiments, again):
        variances = _possible(Variance.of, group)
        if variances:
            yield anova_table(variances)
    yield from _pictures(results, experiments, "interaction")


def _other_figures(results: StudyResults, experiments: Sequence[Experiment]) -> Iterator[Part]:
    """Draw the figures that no section above has drawn, also those of installed packages."""
    for key in catalogue.keys("figures"):
        if key not in (FIRST, "paired_differences", "interaction", *study_figures()):
            yield from _pictures(results, experiments, key)


def _pictures(results: StudyResults, experiments: Sequence[Experiment], key: str) -> Iterator[Picture]:
    kind: type[ExperimentDisplay] = catalogue.find("figures", key)
    for experiment in experiments:
        try:
            display = kind.of(experiment, results)
        except WorkbenchError:
            continue  # what the figure needs is not there: one truth, or no exact scores
        name = word(f"{key} {experiment.score.rows} {source_word(results, experiment.source)}")
        yield Picture(
            name, f"{kind.title}: {experiment.kind}", display.caption, display.sketch, tall=is_tall(display)
        )


def _measures(results: StudyResults) -> Iterator[Part]:
    for source in results.study.source_keys:
        frame = summary_frame(results, source)
        rows = tuple(
            tuple(Number(value, _value(value)) if i else value for i, value in enumerate(_learner_first(row)))
            for row in frame.itertuples(index=False)
        )
        titles = [name.replace("\n", ", ") for name in _learner_first(tuple(frame.columns))]
        yield Table(f"{source} truths", tuple("rows" if t == "n" else t for t in titles), rows)
    yield Text("Here each interval is that of its mean alone, so it is narrower than those under Scores.")
    yield Text("\n".join(legend(results)), verbatim=True)


def _learner_first(row: tuple[str, ...]) -> tuple[str, ...]:
    return (row[1], row[0], *row[2:])


def _value(text: str) -> float:
    """Read back the mean that a cell of the printed table shows, to sort by."""
    first = text.strip().split(" ")[0]
    try:
        return float(first)
    except ValueError:
        return float("nan")
