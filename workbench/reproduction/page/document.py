"""Assemble the page of a reproduction: counts, orders, signs, every cell, ablations, settings."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.base.names import learner_name
from workbench.report.document import Document, Part, Section, Text
from workbench.report.provenance import footer_of, settings_of
from workbench.report.renderers.forms import write_forms
from workbench.report.table import Cell, Table, whole
from workbench.reproduction.judging.tested_cells import FIVE
from workbench.reproduction.page.picture import agreement_picture
from workbench.reproduction.page.sentences import RULE, few_shared, sentence, unfinished_study
from workbench.reproduction.page.tables import (
    before_and_after_tables,
    cells_tables,
    counts_table,
    ranks_table,
    sensitivity_tables,
    signs_table,
    sizes_tables,
)
from workbench.reproduction.printed.table import DRAWN
from workbench.reproduction.reproduction import Reproduction

if TYPE_CHECKING:
    from workbench.reproduction.printed.table import PrintedTable
    from workbench.store.results import StudyResults

__all__ = ["ABLATIONS", "BEFORE", "reproduction_document", "write_reproduction"]

#: Regions of a Markdown page that stay where a later page has nothing for them.
ABLATIONS, BEFORE = "ablations", "before and after"


def write_reproduction(
    found: Reproduction, path: str | Path, *more: str | Path, before: Reproduction | None = None
) -> Path:
    """Write the page of a reproduction: counts, ranks, signs, every cell, ablations, settings.

    Parameters
    ----------
    found : Reproduction
        The comparison of a study with a paper.
    path, *more : str or Path
        The files to write. They end in .html (one file that needs no network), .md or .tex (with the figures
        in a folder next to the file), or .csv (only the tables). In an existing .md file, only the text
        between the markers <!-- generated --> and <!-- end --> is replaced. The section of ablations has its
        own markers, <!-- ablations --> and <!-- ablations end -->, and so has the comparison with an earlier
        study, <!-- before and after --> and <!-- before and after end -->. They are added at the end of a .md
        file without them. If `found` has no study of ablations, or `before` is not given, a .md file keeps
        the text of this section, and the other formats leave the section out.
    before : Reproduction, optional
        The reproduction by an earlier study, whose verdicts are compared by `Reproduction.compared_with`.

    Returns
    -------
    Path
        The first file.

    Raises
    ------
    WorkbenchError
        If an ending is unknown, or a file cannot be written.
    """
    return write_forms(lambda: reproduction_document(found, before), path, *more)


def reproduction_document(found: Reproduction, before: Reproduction | None = None) -> Document:
    """Compute the content of the page of a reproduction."""
    results = found.results
    units = {one.name: unit_of(one, results) for one in found.printed.tables if one.statistic in DRAWN}
    pictures = (agreement_picture(found, units),) if units else ()
    sections = (
        Section("Counts", (counts_table(found), Text(RULE))),
        Section("Orders and directions", tuple(_orders(found))),
        Section("Ours against printed", pictures),
        Section("Every cell", tuple(_cells(found)), stays=()),
        Section("Settings", (_units(found), _learners(results)), stays=()),
        Section("Study and provenance", tuple(settings_of(results)), stays=()),
        *_ablations(found),
        *_before_and_after(found, before),
    )
    return Document(
        title=f"{found.paper}: reproduction",
        subtitle=f"The study {results.study.name} compared with the paper's published values.",
        opening="",
        parts=(sentence(found), *unfinished_study(results, "study")),
        surety="",
        winners=(),
        pictures=(),
        caption="",
        sections=tuple(section for section in sections if section.parts),
        footer=footer_of(results),
        regions=(ABLATIONS, BEFORE),
    )


def unit_of(table: "PrintedTable", results: "StudyResults") -> str:
    """Return the unit of a printed table's numbers."""
    if table.statistic == "correlation":
        return "correlation"
    assert table.score is not None  # only sizes have none
    unit = results.metric(table.score.metric).unit
    scaled = {
        "none": unit,
        "percent": unit.replace("share of", "% of"),
        "nats": unit.replace("bits", "nats"),
        "nats_times_classes": f"{unit.replace('bits', 'nats')}, classes summed",
    }
    return scaled[table.scale]


def _orders(found: Reproduction) -> Iterator[Part]:
    if len(found.ranks):
        yield ranks_table(found)
    if len(found.signs):
        yield signs_table(found)


def _cells(found: Reproduction) -> Iterator[Part]:
    sizes = [one.name for one in found.printed.tables if one.statistic == "size"]
    for table in found.printed.tables:
        if table.name not in sizes:
            yield from cells_tables(found, table.name)
    if sizes:
        yield from sizes_tables(found, sizes)


def _ablations(found: Reproduction) -> Iterator[Section]:
    """Return what the study of ablations adds, its own learners and settings included."""
    if found.ablations is None:
        return
    lines = (
        *unfinished_study(found.ablations, "study of the ablations"),
        *few_shared(found),
        *found.unjudged,
    )
    tables = sensitivity_tables(found) if len(found.sensitivity) else ()
    yield Section("Ablations", (*tables, *map(Text, lines)), ABLATIONS, stays=())
    settings = (_learners(found.ablations), *settings_of(found.ablations))
    yield Section("Study of ablations", settings, ABLATIONS, stays=())


def _before_and_after(found: Reproduction, before: Reproduction | None) -> Iterator[Section]:
    if before is not None:
        tables = tuple(before_and_after_tables(found, before))
        yield Section("Before and after", tables, BEFORE, stays=(tables[0].title,))


def _units(found: Reproduction) -> Table:
    """Return how many units our study has, next to the paper's."""
    rows: list[tuple[Cell, ...]] = []
    for table in found.printed.tables:
        n = found.cells.loc[found.cells["table"] == table.name, "n"]
        ours = f"{n.min():.0f}" if n.nunique() < 2 else f"{n.min():.0f} to {n.max():.0f}"
        units: tuple[Cell, ...] = (table.unit, whole(table.units), ours)
        if table.statistic == "significance":
            units = ("replication", whole(FIVE), ours)
        elif table.statistic == "size":  # a fact has no units
            units = ("", "", "")
        of = [score for score in (table.score, table.other_score) if score is not None]
        scores = " ~ ".join(", ".join(filter(None, one)) for one in of) or table.fact
        near = f"{table.threshold:g}" if table.threshold else ""
        rows.append((table.name, table.statistic.replace("_", " "), scores, *units, near))
    columns = ("table", "statistic", "of", "unit", "units of the paper", "units of ours", "near below")
    return Table("What is compared with what", columns, tuple(rows))


def _learners(results: "StudyResults") -> Table:
    """List the learners, with settings that are not the default."""
    rows: list[tuple[Cell, ...]] = []
    for key, identity in results.study.learners.items():
        settings = ", ".join(f"{name} = {value}" for name, value in results.study.settings(key).items())
        rows.append((key, learner_name(key), identity["class"].rpartition(":")[2], settings or "defaults"))
    return Table("Learners", ("key", "learner", "class", "settings"), tuple(rows))
