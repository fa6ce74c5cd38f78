"""Reference results, which are part of the package: scores of the entrants on a suite, truth by truth."""

import functools
import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.suites.suite import FOLDER as SUITES
from workbench.base.errors import WorkbenchError
from workbench.engine.provenance import provenance
from workbench.profiles.measure import FAILED, Measured
from workbench.profiles.part import SEED, SUITE, SuitePart
from workbench.profiles.scores import CEILINGS, DESCRIPTIONS, DIRECTIONS, LOSS, SuiteScores, joined

__all__ = ["Reference", "fallen_back", "merged", "read_reference", "write_reference"]

FOLDER = Path(__file__).parent / "reference"
REMEDY = "install the package again, or compute them, make arena"
PARTS = ("values", "seconds")
#: What is no score is kept in half precision, three digits.
TYPES: Mapping[str, str] = dict.fromkeys(DESCRIPTIONS, "float16")


@dataclass(frozen=True, eq=False)
class Reference:
    """Scores of many learners on a suite, and where they come from."""

    scores: SuiteScores  # on the whole suite; NaN where a learner was not tried
    parts: Mapping[str, SuitePart]  # by learner, the part that it was tried on
    # (n_learners, n_places, n_truths, n_sizes): there it has the scores of class frequencies
    failed: NDArray[np.bool_] = field(repr=False)
    identities: Mapping[str, Any]  # what determines each learner's numbers
    about: Mapping[str, Any]  # versions and machine

    @property
    def learners(self) -> tuple[str, ...]:
        """Keys of the learners."""
        return self.scores.learners

    @property
    def failures(self) -> dict[str, int]:
        """By learner, the number of cells that failed."""
        counts = self.failed.sum(axis=(1, 2, 3))
        return {key: int(n) for key, n in zip(self.learners, counts, strict=True)}

    def measured(self, learner: str) -> Measured:
        """Return a learner's own scores on the part that it was tried on, none where it failed."""
        part, at = self.parts[learner], self.scores.at(learner)
        sizes = [size for size in self.scores.sizes if size <= part.largest]
        failed = pd.DataFrame(
            [
                (learner, self.scores.places[place], int(truth), self.scores.sizes[size], "failed", "")
                for place, truth, size in np.argwhere(self.failed[at])
            ],
            columns=list(FAILED),
        )
        hidden = self.failed[at][None]
        values = {name: np.where(hidden, np.nan, one[[at]]) for name, one in self.scores.values.items()}
        seconds = {name: one[[at]] for name, one in self.scores.seconds.items()}
        own = replace(self.scores, learners=(learner,), values=values, seconds=seconds)
        return Measured(own.only(n_truths=part.n_truths, sizes=sizes), part, failed)


def write_reference(
    measured: Sequence[Measured], identities: Mapping[str, Any], folder: str | Path = FOLDER
) -> Path:
    """Write reference results as two files, arrays and what they are, and return the path of the second."""
    # cells that failed get the scores of the class frequencies, the learner "prior", which must be among them
    scores = merged(measured)
    prior = scores.only(learners=["prior"])
    _check_runs(measured)
    parts: dict[str, Any] = {}
    failed = np.zeros(scores.values[LOSS].shape, dtype=np.bool_)
    for one in measured:
        scores = fallen_back(scores, one.failed, prior)
        for cell in cells_of(scores, one.failed):
            failed[cell] = True
        parts |= {key: one.part.to_document() for key in one.scores.learners}
    content = _packed(scores, failed)
    manifest = {
        "suite": scores.suite,
        "seed": SEED,
        "suite_sha256": _hash_of_suite(scores.suite),
        "sha256": hashlib.sha256(content).hexdigest(),
        "learners": list(scores.learners),
        "places": list(scores.places),
        "sizes": list(scores.sizes),
        "parts": parts,
        "identities": dict(identities),
        "about": provenance(),
    }
    place = Path(folder) / f"{scores.suite}.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.with_suffix(".npz").write_bytes(content)
    place.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return place


def _check_runs(measured: Sequence[Measured]) -> None:
    """Raise WorkbenchError if a yardstick failed, or others were tried on more truths than the optimum."""
    n_truths = {key: one.part.n_truths for one in measured for key in one.scores.learners}
    for one in measured:
        failed = sorted({*one.failed["learner"]} & {*CEILINGS})
        if failed:
            raise WorkbenchError(f"{failed[0]} failed in some fits: without it nothing can be compared")
        for key in one.scores.learners:
            if n_truths[key] > n_truths.get("optimal", n_truths[key]):
                raise WorkbenchError(
                    f"{key} was tried on {n_truths[key]} truths of each place, the optimum on "
                    f"{n_truths['optimal']}: give the optimum as many"
                )


@functools.cache
def read_reference(folder: str | Path = FOLDER) -> Reference:
    """Read the reference results of the suite; WorkbenchError if there are none or a file is damaged."""
    place = Path(folder) / f"{SUITE}.json"
    try:
        manifest = json.loads(place.read_text(encoding="utf-8"))
        content = place.with_suffix(".npz").read_bytes()
    except (OSError, ValueError) as error:
        raise WorkbenchError(
            f"there are no reference results for {SUITE}, as {place} cannot be read ({error}): {REMEDY}"
        ) from error
    _check(manifest, content, place)
    try:
        scores, failed = _unpacked(content, manifest)
        return Reference(
            scores,
            {key: SuitePart(**part) for key, part in manifest["parts"].items()},
            failed,
            manifest["identities"],
            manifest["about"],
        )
    except (KeyError, TypeError, ValueError, AttributeError, zipfile.BadZipFile) as error:
        raise WorkbenchError(f"the reference results {place} cannot be used ({error}): {REMEDY}") from error


def _check(manifest: Any, content: bytes, place: Path) -> None:
    """Raise WorkbenchError if the files do not belong together, or to the suite and seed."""
    if not isinstance(manifest, dict) or hashlib.sha256(content).hexdigest() != manifest.get("sha256"):
        raise WorkbenchError(
            f"the reference results {place.with_suffix('.npz')} are damaged, as their checksum does not "
            f"match {place.name}: {REMEDY}"
        )
    if manifest.get("seed") != SEED or manifest.get("suite") != SUITE:
        raise WorkbenchError(
            f"the reference results {place} are for {manifest.get('suite')}, seed {manifest.get('seed')}, "
            f"but profiles use {SUITE}, seed {SEED}: {REMEDY}"
        )
    if manifest.get("suite_sha256") != _hash_of_suite(SUITE):
        raise WorkbenchError(
            f"the reference results {place} are for another version of the suite {SUITE}: {REMEDY}"
        )


def _hash_of_suite(suite: str) -> str:
    return hashlib.sha256((SUITES / f"{suite}.json").read_bytes()).hexdigest()


def merged(measured: Sequence[Measured]) -> SuiteScores:
    """Put the scores of several runs together, on the whole of their suite."""
    whole = SuitePart.whole(measured[0].scores.suite)
    places = tuple(place.key for place in whole.content.places)
    sizes = tuple(sorted({size for place in whole.content.places for size in place.sizes}))
    shape = (0, len(places), whole.n_truths, len(sizes))
    empty = SuiteScores(
        whole.suite,
        (),
        places,
        sizes,
        {name: np.empty(shape, np.float32) for name in (*DIRECTIONS, *DESCRIPTIONS)},
        {name: np.empty((0, len(places), len(sizes)), np.float32) for name in ("fit", "predict")},
    )
    return joined(empty, *(one.scores for one in measured))


def fallen_back(scores: SuiteScores, failed: Any, prior: SuiteScores) -> SuiteScores:
    """Give cells that failed the scores of the class frequencies, as their users would forecast these."""
    values = {name: one.copy() for name, one in scores.values.items()}
    for learner, *there in cells_of(scores, failed):
        for name, one in values.items():
            one[(learner, *there)] = prior.values[name][(0, *there)]
    return replace(scores, values=values)


def cells_of(scores: SuiteScores, failed: pd.DataFrame) -> list[tuple[int, int, int, int]]:
    """Return the indices (learner, place, truth, size) of cells that failed, of those that scores have."""
    return [
        (
            scores.at(cell.learner),
            scores.places.index(cell.source),
            int(cell.replicate),
            scores.sizes.index(cell.n_train),
        )
        for cell in failed.itertuples(index=False)
        if cell.learner in scores.learners and cell.source in scores.places and cell.n_train in scores.sizes
    ]


def _packed(scores: SuiteScores, failed: NDArray[np.bool_]) -> bytes:
    """Pack the cells of the suite, without sizes that a place lacks."""
    there = _there(scores.suite, scores.places, scores.sizes)
    arrays: dict[str, Any] = {}
    for name, one in scores.values.items():
        columns = np.moveaxis(one, 3, 2)[:, there].astype(TYPES.get(name, "float32"))
        arrays[f"values {name}"] = columns
    for name, one in scores.seconds.items():
        arrays[f"seconds {name}"] = one[:, there].astype("float16")
    arrays["failed"] = np.moveaxis(failed, 3, 2)[:, there]
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def _unpacked(content: bytes, manifest: Mapping[str, Any]) -> tuple[SuiteScores, NDArray[np.bool_]]:
    learners, places, sizes = (tuple(manifest[name]) for name in ("learners", "places", "sizes"))
    there = _there(manifest["suite"], places, sizes)
    found: dict[str, dict[str, Any]] = {part: {} for part in PARTS}
    shape = len(learners), len(places), len(sizes)
    with np.load(io.BytesIO(content)) as arrays:
        n_truths = arrays["failed"].shape[-1]
        failed = np.zeros((*shape, n_truths), np.bool_)
        failed[:, there] = arrays["failed"]
        for key in set(arrays.files) - {"failed"}:
            part, _, name = key.partition(" ")
            packed = arrays[key].astype(np.float32)
            whole = np.full((*shape, *packed.shape[2:]), np.nan, np.float32)
            whole[:, there] = packed
            found[part][name] = np.moveaxis(whole, 2, 3) if part == "values" else whole
    scores = SuiteScores(manifest["suite"], learners, places, sizes, found["values"], found["seconds"])
    return scores, np.moveaxis(failed, 2, 3)


def _there(suite: str, places: Sequence[str], sizes: Sequence[int]) -> np.ndarray:
    """Return which sizes places have, (n_places, n_sizes)."""
    content = SuitePart.whole(suite).content
    return np.array([[size in content.place(key).sizes for size in sizes] for key in places])
