"""Draw what nearest neighbors, naive Bayes, TAN, a tree and boosting lose as knobs are turned."""

from pathlib import Path

import pandas as pd

from workbench.profiles.displays import ProbesDisplay
from workbench.profiles.findings import findings_of
from workbench.profiles.measure import Measured
from workbench.profiles.reference import read_reference

FIGURES = Path(__file__).resolve().parents[1] / "figures"


def main() -> None:
    """Draw the picture from the reference results."""
    reference = read_reference()
    part = reference.parts["knn"]
    scores = reference.scores.only(learners=["knn"], n_truths=part.n_truths)
    nothing = pd.DataFrame(columns=["learner", "source", "replicate", "n_train", "state", "message"])
    found = findings_of(
        Measured(scores, part, nothing), reference, identity=reference.identities["knn"], is_reference=True
    )
    ProbesDisplay(found).save(FIGURES / "profile.png", dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
