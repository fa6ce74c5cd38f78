"""One cell of a study: a learner, on one training set, of one size, from one replicate of a source."""

from dataclasses import dataclass

from workbench.base.seeds import hashed

__all__ = ["ENDED_WITHOUT_SCORES", "Cell"]

#: States of cells that ended without scores; a cell may also be pending or done.
ENDED_WITHOUT_SCORES = ("failed", "timed_out")


@dataclass(frozen=True, slots=True)
class Cell:
    """The unit of work: fit one learner once and score it."""

    source: str
    replicate: int  # which truth; it and its test rows are the same for all cells of a replicate
    n_train: int
    learner: str
    training_set: int = 0  # which training sample of that size
    fold: int = 0  # which part of a resampling design; 0 where there is none
    n_test: int = 1000

    def identity(self, source: str, seed: str, learner: str, design: str = "") -> str:
        """Hash everything that determines the cell's numbers."""
        # The canonical form of a list of all of these, assembled by hand because every cell is hashed.
        place = f"{self.replicate},{self.n_train},{self.training_set},{self.fold},{self.n_test}"
        return hashed(f"[{source},{seed},{place},{learner}{',' if design else ''}{design}]")
