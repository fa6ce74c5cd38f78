"""Numbers of a page: what is packed is unpacked as it was, in five digits, and says who is missing."""

import zlib
from base64 import b64decode

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from workbench.explorer.packing import pack, packed_scores, short, summaries

INF, NAN = np.inf, np.nan


def unpacked(text: str, octets: int) -> np.ndarray:
    """Undo `pack`, as the page's script does."""
    planes = np.frombuffer(zlib.decompress(b64decode(text)), dtype=np.uint8).reshape(octets, -1)
    content = np.zeros((planes.shape[1], 4), dtype=np.uint8)
    content[:, [3, 2, 1, 0][:octets]] = planes.T
    return content.reshape(-1).view("<f4").astype(np.float64)


finite = st.floats(-1e6, 1e6).filter(lambda value: value == 0 or abs(value) > 1e-6)
values = st.one_of(finite, st.sampled_from([INF, -INF, NAN]))


@pytest.mark.parametrize("octets, error", [(4, 2.0**-24), (3, 2.0**-16)])
@given(numbers=arrays(np.float64, st.integers(0, 30), elements=values))
def test_digits_infinity_and_nothing_survive(octets, error, numbers):
    found = unpacked(pack([numbers], octets), octets)
    np.testing.assert_allclose(found, numbers, rtol=error, equal_nan=True)
    np.testing.assert_array_equal(found, short(numbers, octets).astype(np.float64))


@pytest.mark.parametrize("octets, count", [(3, 0), (3, 1), (3, 500), (3, 65_535), (4, 16_777_215)])
def test_counts_are_exact(octets, count):
    assert unpacked(pack([np.array([count], dtype=np.float64)], octets), octets).tolist() == [count]


@pytest.mark.parametrize(
    "column, expected",
    [
        ([1.0, 2.0, 3.0], (3, 2.0, 1.0, 0)),
        ([1.0, NAN, 3.0], (2, 2.0, np.sqrt(2.0), 0)),
        ([1.0, NAN, NAN], (1, 1.0, NAN, 0)),
        ([NAN, NAN, NAN], (0, NAN, NAN, 0)),
        ([1.0, -INF, 3.0], (3, -INF, NAN, 1)),
        ([INF, -INF, NAN], (2, NAN, NAN, 2)),
        ([0.1, 0.1, 0.1], (3, 0.1, 0.0, 0)),
    ],
)
def test_a_summary_counts_what_is_missing_and_what_is_infinite(column, expected):
    found = [float(one) for one in summaries(np.array(column))]
    np.testing.assert_allclose(found, expected, equal_nan=True)


def test_differences_are_of_the_units_where_both_have_a_score():
    a = np.array([1.0, 2.0, NAN, 4.0, INF])
    b = np.array([0.5, NAN, 3.0, 3.0, INF])
    n, mean, sd, infinite = summaries(a, b)
    assert (n, infinite) == (3, 1)
    assert np.isnan([mean, sd]).all()
    n, mean, sd, infinite = summaries(a[:4], b[:4])
    assert (n, mean, infinite) == (2, 0.75, 0)
    assert sd == pytest.approx(np.std([0.5, 1.0], ddof=1))


def test_equal_learners_differ_by_nothing_even_after_rounding():
    a = np.array([0.3, 0.7, 0.9])
    b = np.array([0.1 + 0.2, 0.8 - 0.1, 0.9])
    assert (a != b).any()
    assert [float(one) for one in summaries(a, b)] == [3, 0, 0, 0]


@pytest.mark.parametrize("n_units, form", [(1, "values"), (4, "values"), (5, "summaries")])
def test_the_shorter_form_is_kept(n_units, form):
    scores = np.random.default_rng(1).normal(size=(n_units, 2, 4))
    found = packed_scores([scores, np.full((3, 2, 4), NAN)])
    assert found.forms == (form, "")
    n_pairs = 6
    expected = n_units * 2 * 5 if form == "values" else 4 * 2 * (4 + n_pairs)
    assert len(unpacked(found.text, 4)) == expected


def test_values_are_kept_off_their_mean_so_that_differences_keep_their_digits():
    scores = np.array([1000.0, -500.0, 77.0])[:, None, None] + np.array([0.0, 0.00123456, 0.00123466])
    found = unpacked(packed_scores([scores], octets=3).text, 3)
    center, off = found[:3], found[3:].reshape(3, 3)
    np.testing.assert_allclose(center, scores.mean(axis=2)[:, 0], rtol=2.0**-16)
    np.testing.assert_allclose(off[:, 1] - off[:, 0], 0.00123456, rtol=1e-3)
    np.testing.assert_allclose(center[:, None] + off, scores[:, 0], rtol=1e-7)
