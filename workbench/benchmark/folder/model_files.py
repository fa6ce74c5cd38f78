"""The files of one model: drawn, written, and described for the manifest."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from generators.base.checksum import checksum
from generators.networks.mixture import Mixture
from generators.networks.network import Network
from workbench.benchmark.columns import (
    Block,
    FileColumn,
    RowsDigest,
    blocks_of,
    columns_of,
    digest_of_bytes,
    forecast_columns,
    posterior_of,
)
from workbench.benchmark.folder import card
from workbench.benchmark.formats import FORMATS
from workbench.benchmark.plan import BenchmarkPlan
from workbench.engine.progress import Silent

__all__ = ["TABLES", "UNALTERED", "bif_files", "file_names", "write_model"]

TABLES = ("train", "test", "posterior")
CARDS = ("card.md", "card.json")
TRUTH = "truth.json"
#: What an altered truth was made from; the rows do not come from it.
UNALTERED = "unaltered.json"


def write_model(plan: BenchmarkPlan, number: int, folder: Path, progress: Silent) -> dict[str, Any]:
    """Draw a model and write its files."""
    which = f"model {number + 1} of {plan.n_models}"
    progress.stage(f"drawing {which}")
    drawn = plan.drawn(number)
    truth, columns = drawn.truth, columns_of(drawn.truth)
    tables = _write_tables(plan, number, truth, columns, folder, lambda n: progress.advance(n, 0))
    _write(folder / TRUTH, json.dumps(truth.to_document(), allow_nan=False) + "\n")
    base, bifs = card.base_of(truth), bif_files(truth)
    if base is not truth:
        _write(folder / UNALTERED, json.dumps(base.to_document(), allow_nan=False) + "\n")
    for name, network in bifs.items():
        _write(folder / name, network.to_bif())
    name = plan.origin.name(number, plan.n_models)
    unaltered = None if base is truth else [UNALTERED, *bifs]
    n_rows = int(plan.rows) + int(plan.test)
    found = card.card_of(name, drawn, columns, unaltered, n_rows, lambda: progress.stage(f"facts of {which}"))
    texts = dict(zip(CARDS, (card.markdown_of(found), card.text_of(found)), strict=True))
    for file, text in texts.items():
        _write(folder / file, text)
    return {
        "name": name,
        "number": number,
        "source": plan.origin.kind(number),
        "kind": found["kind"],
        "alterations": found["alterations"],
        "structure": truth.structure,
        "tries": drawn.tries,
        "asked_for": found["asked_for"],
        "found": found["found"],
        "columns": [_column(column) for column in columns],
        "truth": checksum(truth),
        "bif": list(bifs) if bifs and base is truth else None,
        "why_no_bif": None if bifs and base is truth else f"BIF cannot express a truth of kind {truth.kind}",
        "unaltered": unaltered,
        **tables,
        "texts": {file: digest_of_bytes(text.encode()) for file, text in texts.items()},
    }


def bif_files(truth: Any) -> dict[str, Network]:
    """Return what BIF can express, by file: networks of the truth, or of the truth before alterations."""
    base = card.base_of(truth)
    stem = (TRUTH if base is truth else UNALTERED).removesuffix(".json")
    if isinstance(base, Mixture):
        return {f"{stem}.component-{place:02d}.bif": one for place, one in enumerate(base.components)}
    return {f"{stem}.bif": base} if isinstance(base, Network) else {}


def file_names(format: str, truth: Any) -> tuple[str, ...]:
    """Return the names of all files of a model."""
    altered = () if card.base_of(truth) is truth else (UNALTERED,)
    return (*(f"{table}.{format}" for table in TABLES), TRUTH, *altered, *bif_files(truth), *CARDS)


def _write_tables(
    plan: BenchmarkPlan,
    number: int,
    truth: Any,
    columns: tuple[FileColumn, ...],
    folder: Path,
    tell: Callable[[int], None],
) -> dict[str, Any]:
    """Write rows batch by batch, with at most two batches in memory."""
    forecasts = forecast_columns(columns[-1])
    digests = {table: RowsDigest(forecasts if table == "posterior" else columns) for table in TABLES}
    write = FORMATS[plan.format].write

    def rows(table: str, n: int, stream: Any) -> Iterator[Block]:
        for block in digests[table].each(blocks_of(truth, n, stream)):
            yield block
            tell(len(block[-1]))

    def posteriors() -> Iterator[Block]:
        for block in blocks_of(truth, int(plan.test), plan.test_stream(number)):
            yield list(posterior_of(truth, columns, block).T)

    write(
        folder / f"train.{plan.format}", columns, rows("train", int(plan.rows), plan.training_stream(number))
    )
    write(folder / f"test.{plan.format}", columns, rows("test", int(plan.test), plan.test_stream(number)))
    write(folder / f"posterior.{plan.format}", forecasts, digests["posterior"].each(posteriors()))
    return {table: digests[table].entry() for table in TABLES}


def _column(column: FileColumn) -> dict[str, Any]:
    states = None if column.states is None else list(column.states)
    return {"name": column.name, "label": column.label, "states": states, "labels": list(column.labels)}


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8"))
