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
    Column,
    RowsDigest,
    blocks_of,
    columns_of,
    digest_of_bytes,
    forecast_columns,
    posterior_of,
)
from workbench.benchmark.folder import card
from workbench.benchmark.formats import FORMATS
from workbench.benchmark.plan import Plan

__all__ = ["TABLES", "bif_names", "file_names", "networks_of", "write_model"]

TABLES = ("train", "test", "posterior")
CARDS = ("card.md", "card.json")
TRUTH = "truth.json"


def write_model(plan: Plan, number: int, folder: Path, tell: Callable[[int], None]) -> dict[str, Any]:
    """Draw a model and write its files."""
    drawn = plan.drawn(number)
    truth, columns = drawn.truth, columns_of(drawn.truth)
    tables = _write_tables(plan, number, truth, columns, folder, tell)
    _write(folder / TRUTH, json.dumps(truth.to_document(), allow_nan=False) + "\n")
    for name, network in zip(bif_names(truth), networks_of(truth), strict=True):
        _write(folder / name, network.to_bif())
    name = plan.origin.name(number, plan.n_models)
    found = card.card_of(name, drawn, columns)
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
        "asked_for": {what: float(value) for what, value in drawn.found.items()},
        "columns": [_column(column) for column in columns],
        "truth": checksum(truth),
        "bif": list(bif_names(truth)) or None,
        "why_no_bif": None if bif_names(truth) else f"BIF cannot express a truth of kind {truth.kind}",
        **tables,
        "texts": {file: digest_of_bytes(text.encode()) for file, text in texts.items()},
    }


def networks_of(truth: Any) -> tuple[Network, ...]:
    """Return the networks that BIF can express: the truth, the components of a mixture, or none."""
    if isinstance(truth, Mixture):
        return truth.components
    return (truth,) if isinstance(truth, Network) else ()


def bif_names(truth: Any) -> tuple[str, ...]:
    """Return the names of the files in BIF."""
    if isinstance(truth, Mixture):
        return tuple(f"truth.component-{place:02d}.bif" for place in range(len(truth.components)))
    return ("truth.bif",) if isinstance(truth, Network) else ()


def file_names(format: str, truth: Any) -> tuple[str, ...]:
    """Return the names of all files of a model."""
    return (*(f"{table}.{format}" for table in TABLES), TRUTH, *bif_names(truth), *CARDS)


def _write_tables(
    plan: Plan,
    number: int,
    truth: Any,
    columns: tuple[Column, ...],
    folder: Path,
    tell: Callable[[int], None],
) -> dict[str, Any]:
    """Write rows batch by batch, holding at most two batches."""
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


def _column(column: Column) -> dict[str, Any]:
    states = None if column.states is None else list(column.states)
    return {"name": column.name, "label": column.label, "states": states, "labels": list(column.labels)}


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8"))
