"""Pretrained classifiers, such as TabPFN and TabICL, with weights from a file of the user.

Python and study files use `pretrained`, which makes a `PretrainedClassifier` around such a classifier.
"""

import functools
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone

from learners.facts import LearnerFacts
from workbench.base.errors import WorkbenchError
from workbench.base.text import article
from workbench.estimators.build import inner_learner
from workbench.estimators.foreign import ForeignClassifier, Wrapping, as_frame

__all__ = ["PretrainedClassifier", "pretrained"]

#: The parameter by which classifiers take a file of weights, and what keeps one from downloading others.
WEIGHTS, OFFLINE = "model_path", {"allow_auto_download": False}


def pretrained(
    of: Any = None, weights: Any = None, *, digest: str | None = None, random_state: Any = None
) -> "PretrainedClassifier":
    """Use a pretrained classifier, such as TabPFN, with weights from a file, without downloads.

    `of` is an unfitted classifier with the parameter `model_path`, "module:class", or a table as in study
    files. `weights` is the file. In a study file: `{key = "tabpfn", learner = "pretrained", of =
    "tabpfn:TabPFNClassifier", weights = "tabpfn.ckpt"}`. A store identifies the learner by the SHA-256 of the
    file, `digest`, wherever it is. Scores on data sets that were used to train the weights are too good, and
    cannot be detected here.
    """
    place = str(weights) if isinstance(weights, Path) else weights
    found = digest or (None if place is None else _digest(place))
    return PretrainedClassifier(inner_learner(of), place, digest=found, random_state=random_state)


class PretrainedClassifier(Wrapping):
    """A classifier with weights from a file."""

    # Hollmann et al., "Accurate predictions on small data with a tabular foundation model", Nature 637, 2025.
    study_key = "pretrained"
    workbench_identity = "workbench.pretrained:PretrainedClassifier"
    facts = LearnerFacts(
        key="pretrained",
        authors="Hollmann, Müller, Purucker, Krishnakumar, Körfer, Hoo, Schirrmeister, Hutter",
        title="Accurate predictions on small data with a tabular foundation model",
        year=2025,
        numbers="as inside",
        missing="as inside",
        weights="no",
    )

    def __init__(
        self, of: Any = None, weights: Any = None, digest: str | None = None, random_state: Any = None
    ) -> None:
        self.of = of
        self.weights = weights
        self.digest = digest
        self.random_state = random_state

    @property
    def not_identifying(self) -> tuple[str, ...]:
        """Parameters that name a place and not an identity."""
        return () if self.digest is None else ("weights",)

    def fit(self, X: Any, y: Any) -> "PretrainedClassifier":
        """Read the weights, and fit the classifier to the training rows."""
        _check(self.of)
        found = _digest(self.weights)
        if self.digest not in (None, found):
            raise WorkbenchError(
                f"the weights in {str(self.weights)!r} are not the expected ones: their SHA-256 is "
                f"{found[:12]}..., expected {str(self.digest)[:12]}..."
            )
        settings = {**OFFLINE, WEIGHTS: str(self.weights), "random_state": self.random_state}
        known = self.of.get_params(deep=False)
        given = {name: own for name, own in settings.items() if name in known and own is not None}
        # they read tables with categories, although their tags do not say so
        learner = ForeignClassifier(clone(self.of).set_params(**given), "categories")
        self._fit(learner, as_frame(X), np.asarray(y))
        return self


def _check(of: Any) -> None:
    """Raise unless a classifier takes a file of weights."""
    if of is None or WEIGHTS not in of.get_params(deep=False):
        what = "no classifier" if of is None else article(type(of).__name__)
        raise WorkbenchError(
            f"pretrained got {what}: expected an unfitted classifier with the parameter {WEIGHTS!r}, such as "
            '"tabpfn:TabPFNClassifier" or "tabicl:TabICLClassifier"'
        )


def _digest(weights: Any) -> str:
    """Return the SHA-256 of a file of weights, or raise if there is none."""
    place = Path(weights) if isinstance(weights, str | Path) else None
    if place is None or not place.is_file():
        raise WorkbenchError(
            f"weights is {weights!r}, which is not a file: give the file with the weights of the model, "
            "because a run downloads none"
        )
    found = place.stat()
    return _digest_of(str(place.resolve()), found.st_size, found.st_mtime_ns)


@functools.lru_cache(maxsize=8)
def _digest_of(place: str, size: int, changed: int) -> str:
    # read once a process, as a study fits hundreds of times; a file that changes is read anew
    with open(place, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
