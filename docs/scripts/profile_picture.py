"""Draw what nearest neighbors, naive Bayes, TAN, a tree and boosting lose as parameters vary."""

from pathlib import Path

from workbench.profiles.displays import ProbesDisplay
from workbench.profiles.findings import findings_of
from workbench.profiles.reference import read_reference

FIGURES = Path(__file__).resolve().parents[1] / "figures"


def main() -> None:
    """Draw the picture from the reference results."""
    reference = read_reference()
    found = findings_of(reference.measured("knn"), reference, identity=reference.identities["knn"])
    ProbesDisplay(found).save(FIGURES / "profile.png", dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
