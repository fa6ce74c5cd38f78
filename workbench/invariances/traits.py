"""What a learner does to itself: how random it is, which columns it ignores, whether it memorizes."""

from dataclasses import replace

import numpy as np
import pandas as pd

from generators.tables.columns import declared_codes
from workbench.base.text import and_of
from workbench.invariances.finding import RANDOM, UNCHANGED, Finding
from workbench.invariances.fits import ROUNDING, Difference, difference
from workbench.invariances.rows import TrialRows, drawn_column
from workbench.invariances.trials import OWN, Trials

__all__ = ["find_ignored", "find_memory", "find_noise"]

#: How often a planted attribute is the class, so that no learner that selects attributes leaves it out.
TELLS = 0.9
#: Shares of the way from the expected probability to 1 from which a learner memorizes, and does so in part.
MEMORIZES, IN_PART = 0.5, 0.1


def find_noise(trials: Trials) -> Finding:
    """Fit the same rows with other seeds."""
    kind = trials.kind(OWN)
    found = [one for truth in range(trials.n_truths) for one in trials.refits(kind, truth)]
    bits, largest = _summary(found)
    with_seed = trials.fits.takes_seed
    if largest <= ROUNDING:
        return Finding(UNCHANGED, bits, largest, "" if with_seed else "there is no random_state")
    note = "other seeds" if with_seed else "although there is no random_state"
    return Finding(RANDOM, bits, largest, note, f"Random: a refit changes forecasts by {bits:.3f} bits.")


def find_ignored(trials: Trials) -> Finding:
    """Shuffle each column by itself, in training and test rows."""
    # a column may be left out as a weak one, so a strong one is put in its place before it counts as ignored
    kind, truths = trials.separable, range(trials.n_truths)
    width = trials.rows(kind, 0).X.shape[1]
    by_column = [[_without_column(trials, kind, truth, j) for truth in truths] for j in range(width)]
    silent = [j for j, own in enumerate(by_column) if _is_nothing(own)]
    ignored = tuple(
        j + 1 for j in silent if _is_nothing([_without_strong(trials, kind, t, j) for t in truths])
    )
    bits, largest = _summary([one for own in by_column for one in own])
    weak = [str(j + 1) for j in silent if j + 1 not in ignored]
    note = f"leaves out {_columns(weak)} unless strong" if weak else ""
    if not ignored:
        return Finding("can use every column", bits, largest, note)
    every = len(ignored) == width
    verdict = "ignores every column" if every else f"ignores {_columns([str(j) for j in ignored])}"
    return Finding(verdict, bits, largest, note, f"{verdict.capitalize()}.", ignored)


def find_memory(trials: Trials) -> Finding:
    """Fit rows whose labels are noise, and see how probable it makes these labels."""
    kind = trials.kind(OWN)
    found = np.array([_on_noise(trials, kind, truth) for truth in range(trials.n_truths)])
    own, expected = (float(mean) for mean in found.mean(axis=0))
    share = (own - expected) / (1 - expected) if expected < 1 else 0.0
    verdict = (
        "memorizes"
        if share >= MEMORIZES
        else "memorizes in part"
        if share >= IN_PART
        else "does not memorize"
    )
    note = f"{own:.2f} on the labels of its training rows, {expected:.2f} expected"
    return Finding(verdict, note=note, sentence=f"{verdict.capitalize()}: {note}.")


def _summary(found: list[Difference]) -> tuple[float, float]:
    return float(np.mean([one.bits for one in found])), max(one.largest for one in found)


def _is_nothing(found: list[Difference]) -> bool:
    return max(one.largest for one in found) <= ROUNDING


def _columns(positions: list[str]) -> str:
    return f"column{'s' if len(positions) > 1 else ''} {and_of(positions)}"


def _without_column(trials: Trials, kind: str, truth: int, j: int) -> Difference:
    """Shuffle a column as it is."""
    shuffled = _shuffled(trials.rows(kind, truth), j, trials.rng("shuffled", truth, j))
    return difference(trials.plain(kind, truth), trials.fits.forecast(shuffled))


def _without_strong(trials: Trials, kind: str, truth: int, j: int) -> Difference:
    """Shuffle a column that was strong."""
    rng = trials.rng("strong", truth, j)
    rows = trials.rows(kind, truth)
    strong = _in_place(rows, j, *drawn_column(rows, rng, tells=TELLS))
    return difference(trials.fits.forecast(strong), trials.fits.forecast(_shuffled(strong, j, rng)))


def _shuffled(rows: TrialRows, j: int, rng: np.random.Generator) -> TrialRows:
    columns = [
        part.iloc[rng.permutation(len(part)), j].set_axis(part.index) for part in (rows.X, rows.X_test)
    ]
    return _in_place(rows, j, columns[0], columns[1])


def _in_place(rows: TrialRows, j: int, column: pd.Series, test: pd.Series) -> TrialRows:
    """Put a column in the place, and under the name, of another."""
    name = rows.X.columns[j]
    return replace(rows, X=rows.X.assign(**{name: column}), X_test=rows.X_test.assign(**{name: test}))


def _on_noise(trials: Trials, kind: str, truth: int) -> tuple[float, float]:
    """Return the mean probability of labels that are noise, of training rows and of fresh ones."""
    rows, rng = trials.rows(kind, truth), trials.rng("memory", truth)
    n, n_test = len(rows.X), len(rows.X_test)
    y = rows.y.iloc[rng.permutation(n)].reset_index(drop=True)
    asked = pd.concat([rows.X, rows.X_test], ignore_index=True)
    y_prob = trials.fits.forecast(replace(rows, y=y, X_test=asked))
    labels = np.concatenate([declared_codes(y), declared_codes(rows.y_test)[rng.permutation(n_test)]])
    own = y_prob[np.arange(n + n_test), labels]
    return float(own[:n].mean()), float(own[n:].mean())
