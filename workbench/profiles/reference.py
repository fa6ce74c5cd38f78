"""Reference results, which are part of the package: scores of the entrants on a suite, truth by truth."""

import functools
import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from generators.suites.suite import FOLDER as SUITES
from workbench.base.errors import WorkbenchError
from workbench.engine.provenance import provenance
from workbench.profiles.measure import Measured
from workbench.profiles.part import SEED, SUITE, SuitePart
from workbench.profiles.scores import CEILINGS, DESCRIPTIONS, DIRECTIONS, SuiteScores, joined

__all__ = ["Reference", "fallen_back", "merged", "read_reference", "write_reference"]

FOLDER = Path(__file__).parent / "reference"
REMEDY = "install the package again, or compute them, make arena"
PARTS = ("values", "seconds")
#: What is no score is kept in half precision, three digits.
TYPES: Mapping[str, str] = dict.fromkeys(DESCRIPTIONS, "float16")


@dataclass(frozen=True, eq=False)
class Reference:
    """Scores of many learners on a suite, and where they come from.

    Parameters
    ----------
    scores : SuiteScores
        On the whole suite; NaN where a learner was not tried.
    parts : mapping of str to SuitePart
        By learner, the part that it was tried on.
    failures : mapping of str to int
        By learner, the number of cells that failed; there it has the scores of the class frequencies.
    identities : mapping of str to dict
        What determines each learner's numbers.
    about : mapping
        Versions and machine.
    """

    scores: SuiteScores
    parts: Mapping[str, SuitePart]
    failures: Mapping[str, int]
    identities: Mapping[str, Any]
    about: Mapping[str, Any]

    @property
    def learners(self) -> tuple[str, ...]:
        """Keys of the learners."""
        return self.scores.learners


def write_reference(
    measured: Sequence[Measured], identities: Mapping[str, Any], folder: str | Path = FOLDER
) -> Path:
    """Write reference results as two files, arrays and what they are, and return the path of the second.

    Cells that failed get the scores of the class frequencies, the learner "prior", which must be among them.
    """
    scores = merged(measured)
    prior = scores.only(learners=["prior"])
    _check_runs(measured)
    parts: dict[str, Any] = {}
    failures: dict[str, int] = {}
    for one in measured:
        scores = fallen_back(scores, one.failed, prior)
        counts = one.failed["learner"].value_counts()
        parts |= {key: one.part.to_document() for key in one.scores.learners}
        failures |= {key: int(counts.get(key, 0)) for key in one.scores.learners}
    content = _packed(scores)
    manifest = {
        "suite": scores.suite,
        "seed": SEED,
        "suite_sha256": _hash_of_suite(scores.suite),
        "sha256": hashlib.sha256(content).hexdigest(),
        "learners": list(scores.learners),
        "places": list(scores.places),
        "sizes": list(scores.sizes),
        "parts": parts,
        "failures": failures,
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
def read_reference(suite: str = SUITE, folder: str | Path = FOLDER) -> Reference:
    """Read the reference results of a suite.

    Raises
    ------
    WorkbenchError
        If there are none, or a file is damaged or does not belong to the other.
    """
    place = Path(folder) / f"{suite}.json"
    try:
        manifest = json.loads(place.read_text(encoding="utf-8"))
        content = place.with_suffix(".npz").read_bytes()
    except (OSError, ValueError) as error:
        raise WorkbenchError(
            f"there are no reference results of {suite}: {place} cannot be read ({error}); {REMEDY}"
        ) from error
    _check(manifest, content, place, suite)
    try:
        return Reference(
            _unpacked(content, manifest),
            {key: SuitePart(**part) for key, part in manifest["parts"].items()},
            manifest["failures"],
            manifest["identities"],
            manifest["about"],
        )
    except (KeyError, TypeError, ValueError, AttributeError, zipfile.BadZipFile) as error:
        raise WorkbenchError(f"the reference results {place} cannot be used ({error}): {REMEDY}") from error


def _check(manifest: Any, content: bytes, place: Path, suite: str) -> None:
    """Raise WorkbenchError if the files do not belong together, or to this suite and seed."""
    if not isinstance(manifest, dict) or hashlib.sha256(content).hexdigest() != manifest.get("sha256"):
        raise WorkbenchError(
            f"the reference results {place.with_suffix('.npz')} are damaged: their checksum is not that of "
            f"{place.name}; {REMEDY}"
        )
    if manifest.get("seed") != SEED or manifest.get("suite") != suite:
        raise WorkbenchError(
            f"the reference results {place} are of {manifest.get('suite')}, seed {manifest.get('seed')}, and "
            f"profiles of {suite}, seed {SEED}: {REMEDY}"
        )
    if manifest.get("suite_sha256") != _hash_of_suite(suite):
        raise WorkbenchError(
            f"the reference results {place} are of another version of the suite {suite}: {REMEDY}"
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
    columns = ("learner", "source", "replicate", "n_train")
    cells = [
        tuple(cell)
        for cell in failed[list(columns)].itertuples(index=False)
        if cell.learner in scores.learners and cell.source in scores.places and cell.n_train in scores.sizes
    ]
    values = {name: one.copy() for name, one in scores.values.items()}
    for learner, place, truth, size in cells:
        there = scores.places.index(place), int(truth), scores.sizes.index(size)
        for name, one in values.items():
            one[(scores.at(learner), *there)] = prior.values[name][(0, *there)]
    return replace(scores, values=values)


def _packed(scores: SuiteScores) -> bytes:
    """Pack the cells of the suite, without sizes that a place lacks."""
    there = _there(scores.suite, scores.places, scores.sizes)
    arrays: dict[str, Any] = {}
    for name, one in scores.values.items():
        columns = np.moveaxis(one, 3, 2)[:, there].astype(TYPES.get(name, "float32"))
        arrays[f"values {name}"] = columns
    for name, one in scores.seconds.items():
        arrays[f"seconds {name}"] = one[:, there].astype("float16")
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def _unpacked(content: bytes, manifest: Mapping[str, Any]) -> SuiteScores:
    learners, places, sizes = (tuple(manifest[name]) for name in ("learners", "places", "sizes"))
    there = _there(manifest["suite"], places, sizes)
    found: dict[str, dict[str, Any]] = {part: {} for part in PARTS}
    with np.load(io.BytesIO(content)) as arrays:
        for key in arrays.files:
            part, _, name = key.partition(" ")
            packed = arrays[key].astype(np.float32)
            whole = np.full((len(learners), len(places), len(sizes), *packed.shape[2:]), np.nan, np.float32)
            whole[:, there] = packed
            found[part][name] = np.moveaxis(whole, 2, 3) if part == "values" else whole
    return SuiteScores(manifest["suite"], learners, places, sizes, found["values"], found["seconds"])


def _there(suite: str, places: Sequence[str], sizes: Sequence[int]) -> np.ndarray:
    """Return which sizes places have, (n_places, n_sizes)."""
    content = SuitePart.whole(suite).content
    return np.array([[size in content.place(key).sizes for size in sizes] for key in places])
