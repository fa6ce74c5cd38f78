"""Verify a benchmark: read every file, and compare it with manifest and truth."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from generators.base.checksum import checksum
from generators.networks.network import Network
from workbench.base.errors import WorkbenchError
from workbench.base.text import count_of
from workbench.benchmark.columns import (
    Block,
    FileColumn,
    RowsDigest,
    columns_of,
    digest_of_bytes,
    forecast_columns,
    posterior_of,
)
from workbench.benchmark.folder.card import base_of
from workbench.benchmark.folder.manifest import MANIFEST, README, Manifest, columns_in
from workbench.benchmark.folder.model_files import UNALTERED, bif_files, file_names
from workbench.benchmark.formats import FORMATS
from workbench.study.source import read_truth

__all__ = ["findings_of", "verify"]

#: Tolerance for posteriors: other versions sum in another order.
TOLERANCE = 1e-9
PARTS = {"codes": "values of nominal columns", "numbers": "numbers"}


def verify(folder: str | Path) -> tuple[str, ...]:
    """Verify the content of a benchmark.

    Parameters
    ----------
    folder : str or Path
        A folder made by `workbench.generate`.

    Returns
    -------
    tuple of str
        One line for each problem: files that are missing, damaged, changed or unexpected, and posteriors that
        differ from the truth's. Empty if there is no problem.

    Raises
    ------
    WorkbenchError
        If the folder has no manifest.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from workbench.benchmark import generate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = generate("tan", folder, models=1, rows=30, test=10, format="csv")
    ...     pathlib.Path(folder, "notes.txt").touch()
    ...     verify(folder)
    ('notes.txt is not a file of the benchmark',)
    """
    return tuple(findings_of(Path(folder)))


def findings_of(folder: Path) -> Iterator[str]:
    """Yield the findings of `verify`."""
    if not (folder / MANIFEST).is_file():
        Manifest.read(folder)  # raises
    try:
        manifest = Manifest.read(folder)
    except WorkbenchError as error:
        yield f"{MANIFEST} is damaged: {error}"
        return
    if manifest.stated != manifest.checksum:
        yield f"{MANIFEST} was changed: its checksum does not match its content"
    expected = {MANIFEST, README}
    yield from _of_text(folder, README, manifest.readme)
    for entry in manifest.models:
        check = _Check(folder, manifest.format, entry)
        try:
            yield from check.findings()
        except (KeyError, TypeError, AttributeError) as error:
            yield f"{MANIFEST} is incomplete for {entry['name']}: {type(error).__name__} {error}"
        expected |= {f"{entry['name']}/{name}" for name in check.names()}
    yield from _of_others(folder, expected)


@dataclass
class _Check:
    """The files of one model."""

    folder: Path
    format: str
    entry: dict[str, Any]
    truth: Any = None

    def names(self) -> tuple[str, ...]:
        """Return the names of all its files. Without a truth, some of them are as in the manifest."""
        if self.truth is not None and self._has_networks:
            return file_names(self.format, self.truth)
        others = (*(self.entry.get("bif") or ()), *(self.entry.get("unaltered") or ()))
        return (*file_names(self.format, None), *map(str, others))

    @property
    def _has_networks(self) -> bool:
        """Whether the truth's networks are files. Earlier versions wrote none for altered truths."""
        return base_of(self.truth) is self.truth or bool(self.entry.get("unaltered"))

    def findings(self) -> Iterator[str]:
        place = self.folder / self.entry["name"]
        if not place.is_dir():
            yield f"the folder {self.entry['name']} is missing"
            return
        yield from self._of_truth()
        columns = columns_in(self.entry)
        forecasts = forecast_columns(columns[-1])
        for table, own in (("train", columns), ("test", columns), ("posterior", forecasts)):
            yield from self._of_table(table, own)
        if self.truth is not None:
            yield from self._guarded(
                f"posterior.{self.format}", lambda: self._of_posterior(columns, forecasts)
            )
        for name, stated in self.entry["texts"].items():
            if name in self.names():
                yield from _of_text(self.folder, self._file(name), stated)

    def _file(self, name: str) -> str:
        return f"{self.entry['name']}/{name}"

    def _guarded(self, name: str, check: Callable[[], Iterator[str]]) -> Iterator[str]:
        """Report unreadable files as findings."""
        file = self._file(name)
        if not (self.folder / file).is_file():
            yield f"{file} is missing"
            return
        try:
            yield from check()
        except (WorkbenchError, ValueError, OSError) as error:
            yield f"{file} is damaged: {error}"

    def _of_truth(self) -> Iterator[str]:
        def of_json() -> Iterator[str]:
            truth = read_truth((self.folder / self._file("truth.json")).read_text(encoding="utf-8"))
            if checksum(truth) != self.entry["truth"]:
                yield f"{self._file('truth.json')} is not the truth of the manifest"
            columns = columns_of(truth)
            if columns != columns_in(self.entry):
                yield f"{self._file('truth.json')} does not have the variables and states of the manifest"
            else:
                self.truth = truth

        yield from self._guarded("truth.json", of_json)
        if self.truth is None or not self._has_networks:
            return
        if base_of(self.truth) is not self.truth:
            yield from self._guarded(UNALTERED, self._of_unaltered)
        for name, network in bif_files(self.truth).items():
            yield from self._guarded(name, lambda: self._of_bif(name, network))  # noqa: B023 - used at once

    def _of_unaltered(self) -> Iterator[str]:
        found = read_truth((self.folder / self._file(UNALTERED)).read_text(encoding="utf-8"))
        if checksum(found) != checksum(base_of(self.truth)):
            yield f"{self._file(UNALTERED)} is not what truth.json alters"

    def _of_bif(self, name: str, network: Network) -> Iterator[str]:
        found = Network.from_bif(self.folder / self._file(name))
        if checksum(found) != checksum(network):
            yield f"{self._file(name)} is not the network of truth.json"

    def _of_table(self, table: str, columns: tuple[FileColumn, ...]) -> Iterator[str]:
        def of_table() -> Iterator[str]:
            digest = RowsDigest(columns)
            for block in self._blocks(table, columns):
                digest.add(block)
            found, stated = digest.entry(), self.entry[table]
            if found["rows"] != stated["rows"]:
                yield f"{file} has {count_of(found['rows'], 'row')}, and the manifest states {stated['rows']}"
                return
            for part, what in PARTS.items():
                if found[part] != stated[part]:
                    yield f"{file} was changed: its {what} are not those of the manifest"

        file = self._file(f"{table}.{self.format}")
        yield from self._guarded(f"{table}.{self.format}", of_table)

    def _of_posterior(
        self, columns: tuple[FileColumn, ...], forecasts: tuple[FileColumn, ...]
    ) -> Iterator[str]:
        file, first = self._file(f"posterior.{self.format}"), 0
        if not (self.folder / self._file(f"test.{self.format}")).is_file():
            return
        both = zip_longest(self._blocks("test", columns), self._blocks("posterior", forecasts))
        for rows, found in both:
            if rows is None or found is None or len(rows[0]) != len(found[0]):
                return  # differing numbers of rows are reported already
            differ = np.abs(posterior_of(self.truth, columns, rows) - np.stack(found, axis=1)).max(axis=1)
            wrong = np.flatnonzero(~(differ <= TOLERANCE))
            if len(wrong):
                yield (
                    f"{file} is not the truth's posterior of the test rows: row {first + wrong[0] + 1} "
                    f"differs by {differ[wrong[0]]:.3g}"
                )
                return
            first += len(differ)

    def _blocks(self, table: str, columns: tuple[FileColumn, ...]) -> Iterator[Block]:
        return FORMATS[self.format].read(self.folder / self._file(f"{table}.{self.format}"), columns)


def _of_text(folder: Path, name: str, stated: str) -> Iterator[str]:
    path = folder / name
    if not path.is_file():
        yield f"{name} is missing"
    elif digest_of_bytes(path.read_bytes()) != stated:
        yield f"{name} was changed"


def _of_others(folder: Path, expected: set[str]) -> Iterator[str]:
    folders = {name.partition("/")[0] for name in expected if "/" in name}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name in expected or (name in folders and path.is_dir()):
            continue
        yield f"{name} is not a file of the benchmark"
