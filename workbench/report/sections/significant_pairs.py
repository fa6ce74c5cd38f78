"""Who is significantly worse than whom, source by source."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from workbench.analyses import Comparison
from workbench.analyses._shared.data_sets_answer import tally_frame
from workbench.base.names import learner_name
from workbench.report.document import Part, Text
from workbench.report.findings import Findings
from workbench.report.sections._shared.section import ReportSection, without_sizes
from workbench.report.standing_tables import standing_tables
from workbench.report.table import Cell, Table, whole
from workbench.report.words import beaten_rows

__all__ = ["SECTION"]


def _forms(one: Comparison) -> dict[str, str]:
    """Return the two ways to count, and what stands over their tables."""
    plain = "p" if "p" in one.table else one.scores.test.decides
    return {"p_holm": "with Holm's correction", plain: "as in the papers, uncorrected"}


def _parts(findings: Findings) -> Iterator[Part]:
    tests = {key: own for key, own in findings.tests.items() if any(one.tested for one in own)}
    if not tests:
        return
    first, *others = next(iter(tests.values()))
    of = f"the column, on the {first.scores.by.source} of the row" if others else "the row"
    yield Text(
        f"Each cell names the learners that are significantly worse than the learner of {of}. The answer "
        f"uses {first.deciding}. The tables in the papers' form next to it use "
        f"{first.scores.test.uncorrected}. Without a correction, some of so many pairs are significant by "
        "chance."
    )
    for key, own in tests.items():
        yield _tally(own)
        if key != next(iter(findings.tests)):  # the first score's is on the first screen
            (matrix,) = standing_tables(own)
            yield replace(matrix, title=f"{key.words}: winners")
        for p, words in _forms(first).items():
            title = f"{key.words}: significantly worse learners, {words}"
            columns, rows = beaten_rows(own, p=p)
            yield Table(title, columns, rows)


def _tally(tests: Sequence[Comparison]) -> Table:
    frames = [tally_frame(tests, p=p) for p in _forms(tests[0])]
    rows: list[tuple[Cell, ...]] = []
    for learner in frames[0].index:
        counts = [frame.loc[learner, name] for frame in frames for name in ("win", "tie", "loss")]
        rows.append((learner_name(str(learner)), *[whole(n) for n in counts]))
    names = ("wins", "ties", "losses")
    columns = ("learner", *names, *[f"{name}, uncorrected" for name in names])
    note = (
        f"Over all {tests[0].scores.by.sources} and other learners: with Holm's correction, then as in the "
        "papers, uncorrected."
    )
    return Table(f"{tests[0].scores.score.words}: wins, ties, losses", columns, tuple(rows), note)


SECTION = ReportSection(20, "Who beats whom", _parts, without_sizes)
