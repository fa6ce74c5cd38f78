"""Forecasts, outcomes and priors as tests of metrics draw them."""

import numpy as np
from hypothesis import strategies as st

from learners.counts.class_prior import class_prior as prior_of_counts

WEIGHTS = st.one_of(st.just(0.0), st.floats(1e-300, 1e-200), st.floats(1e-20, 1e-10), st.floats(0.01, 1.0))


def forecasts(n_classes, n_samples=20, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(n_classes), size=n_samples)


def binary(p):
    p = np.asarray(p, dtype=float)
    return np.column_stack((1 - p, p))


@st.composite
def samples(draw, most=30):
    """Outcomes and forecasts of two to four classes in tenths, with ties."""
    k = draw(st.integers(2, 4))
    n = draw(st.integers(1, most))
    counts = draw(st.lists(st.lists(st.integers(0, 3), min_size=k, max_size=k), min_size=n, max_size=n))
    rows = np.array(counts, dtype=float) + np.eye(k)[0]
    y = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    return np.array(y), rows / rows.sum(axis=1, keepdims=True)


@st.composite
def cases(draw, least=2, most=6):
    """Outcomes, forecasts with zeros and tiny numbers, and a prior, of so many classes."""
    k = draw(st.integers(least, most))
    row = st.lists(WEIGHTS, min_size=k, max_size=k).filter(lambda w: max(w) >= 0.01)
    rows = np.array(draw(st.lists(row, min_size=1, max_size=4)))
    counts = draw(st.lists(st.integers(0, 10**6), min_size=k, max_size=k))
    codes = draw(st.lists(st.integers(0, k - 1), min_size=len(rows), max_size=len(rows)))
    prior = prior_of_counts(counts, alpha=draw(st.sampled_from([0.5, 1e-9])))
    return np.array(codes), rows / rows.sum(axis=1, keepdims=True), prior
