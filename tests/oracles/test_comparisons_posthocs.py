"""Which pairs of learners differ in rank, against scikit-posthocs: by Nemenyi, and by z of ranks."""

import numpy as np
import pandas as pd
import pytest

from workbench.comparisons import friedman

pytestmark = pytest.mark.slow  # to import it takes seconds
SEEDS = range(3)


@pytest.fixture
def posthocs():
    return pytest.importorskip("scikit_posthocs", reason="scikit-posthocs is in the dev group only")


def table(seed):
    """Scores (data sets, learners), with ties, and some learners better than others."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(5, 30)), int(rng.integers(3, 9))
    found = rng.normal(size=(n, k)) + 0.4 * rng.normal(size=k)
    return found.round(1) if seed % 2 else found


def matrix(found, field):
    """Return the p values of all pairs, learners down and across."""
    names = list(found.learners)
    out = pd.DataFrame(1.0, index=names, columns=names)
    for pair in found.pairs:
        out.loc[pair.learner, pair.other] = out.loc[pair.other, pair.learner] = getattr(pair, field)
    return out.to_numpy()


@pytest.mark.parametrize("seed", SEEDS)
def test_p_values_of_pairs_are_those_of_scikit_posthocs(posthocs, seed):
    scores = table(seed)
    found = friedman(scores, learners=[f"learner {i}" for i in range(scores.shape[1])])
    nemenyi = posthocs.posthoc_nemenyi_friedman(scores).to_numpy()
    np.testing.assert_allclose(matrix(found, "p_nemenyi"), nemenyi, rtol=1e-7, atol=1e-10)
    for field, adjust in (("p", None), ("p_holm", "holm")):
        theirs = posthocs.posthoc_siegel_friedman(scores, p_adjust=adjust).to_numpy()
        np.testing.assert_allclose(matrix(found, field), theirs, rtol=1e-9, atol=1e-12)
