"""Mean ranks of learners over data sets."""

from collections.abc import Iterator

from workbench.analyses import Ranks
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name
from workbench.figures import CriticalDifferenceDisplay
from workbench.report.document import Part, Picture, Text
from workbench.report.findings import Findings
from workbench.report.sections._shared.pictures import is_tall
from workbench.report.sections._shared.section import ReportSection, without_sizes
from workbench.report.table import Table, number
from workbench.report.words import word

__all__ = ["SECTION"]

#: Data sets below which mean ranks say nothing; `workbench compare FOLDER` shows pairs then.
FEWEST = 3


def _parts(findings: Findings) -> Iterator[Part]:
    """Show the ranks by each score that is tested; nothing of one or two data sets."""
    results = findings.results
    if len(results.study.sources) < FEWEST:
        return
    for key in findings.tests:
        try:
            ranks = Ranks.of(results, score=key)
            display = CriticalDifferenceDisplay.from_ranks(ranks)
        except WorkbenchError as error:
            yield Text(f"{key.words}: {error}.")
            continue
        table = display.test.table()
        rows = zip(table["learner"], table["rank"], strict=True)
        yield Picture(
            word(f"ranks {key.metric} {key.cutoff}"),
            f"Mean ranks by {key.words}",
            display.caption,
            display.sketch,
            tall=is_tall(display),
        )
        yield Table(
            f"Mean ranks by {key.words}",
            ("learner", "mean rank"),
            tuple((learner_name(key), number(rank, 2)) for key, rank in rows),
            " ".join(ranks.notes),
        )


SECTION = ReportSection(25, "Ranks over data sets", _parts, without_sizes)
