"""Write the golden numbers of experiments/small.toml: run it when they move, and say why in the commit."""

from pathlib import Path

from workbench import read_study, run

HERE = Path(__file__).resolve().parent


def golden_means():
    """Return the mean of every score over replicates, of each source, size and learner."""
    frame = run(read_study(HERE.parents[1] / "experiments" / "small.toml")).frame()
    keys = ["source", "n_train", "learner", "metric", "prior", "rows", "cutoff"]
    return frame.groupby(keys, observed=True)["value"].mean().reset_index()


if __name__ == "__main__":
    golden_means().to_csv(HERE / "small_study.csv", index=False, float_format="%.12g")
