"""First numbers of seeded truths, recorded so that no stream changes unnoticed.

A number may move only with a reason in the commit: every seeded study changes with it. Probabilities are
held to a relative 1e-12, because the last bit of a logarithm is the processor's.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from generators import Mixture, random_aode, random_naive_bayes, random_tan
from generators.base.draw import as_generator, random_order
from generators.base.probabilities import random_rows
from generators.base.random_graph import random_labelled_tree
from tests.golden import make_truths

SEED = 2004
CASES = {
    "naive_bayes": (
        random_naive_bayes,
        ((4,), (4,), (4,), (4,), ()),
        [0.19232182325453856, 0.21272508842683605, 0.5949530883186254],
        [0.1790174505533582, 0.10947462218722898, 0.07992786963193824],
        [[2, 0, 2, 1, 2], [2, 2, 1, 1, 2], [3, 1, 1, 1, 2]],
    ),
    "tan": (
        random_tan,
        ((4,), (4, 2), (4, 0), (4, 2), ()),
        [0.4859059729517733, 0.29714629854790664, 0.21694772850032015],
        [0.20904327566258932, 0.3836119582071004, 0.10681947405908183],
        [[2, 2, 0, 0, 1], [0, 1, 3, 1, 2], [4, 0, 3, 0, 1]],
    ),
    "aode": (
        random_aode,
        ((4, 3), (4, 3), (4, 3), (4,), ()),
        [0.23302821776113575, 0.12446060488647545, 0.6425111773523888],
        [0.6714383399286242, 0.01771398948555751, 0.2764650694449116],
        [[3, 0, 0, 0, 0], [1, 1, 3, 1, 2], [1, 1, 2, 1, 2]],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_seeded_truth_and_its_sample_are_those_written_down(name):
    make, parents, class_cpt, first_row, codes = CASES[name]
    truth = make(n_attributes=(3, 5), random_state=SEED)
    last = truth.components[-1] if isinstance(truth, Mixture) else truth
    assert truth.arities.tolist() == [5, 4, 4, 2, 3]
    assert last.parent_indices == parents
    np.testing.assert_allclose(last.cpts[-1], class_cpt, rtol=1e-12)
    np.testing.assert_allclose(last.cpts[0].ravel()[:3], first_row, rtol=1e-12)
    assert truth.sample_codes(3, 7).tolist() == codes


def test_seeded_rows_trees_and_orders_are_those_written_down():
    gammas = [0.9047448114029863, 0.07789240302230256, 0.017362785574710955]
    uniforms = [0.31860514727188155, 0.5916565680901946, 0.08973828463792391]
    np.testing.assert_allclose(random_rows(as_generator(1), (3,), concentration=0.3), gammas, rtol=1e-9)
    np.testing.assert_allclose(
        random_rows(as_generator(1), (3,), rows="normalized_uniform"), uniforms, rtol=1e-12
    )
    assert random_labelled_tree(as_generator(1), 6) == ((1, 3), (2, 5), (3, 0), (0, 5), (4, 5))
    assert random_order(as_generator(1), 5) == (2, 4, 0, 3, 1)


GOLDEN = json.loads(
    (Path(__file__).resolve().parents[1] / "golden" / "truths.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("key", make_truths.TRUTHS)
def test_a_seeded_truth_of_any_kind_is_the_one_written_down(key):
    assert set(GOLDEN) == set(make_truths.TRUTHS)
    same(make_truths.golden_truth(make_truths.TRUTHS[key]()), GOLDEN[key])


def same(found, expected):
    """Compare plain data, numbers to a relative 1e-9 (inverse distributions are scipy's)."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for name, value in expected.items():
            same(found[name], value)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    elif isinstance(expected, float):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-15)
    else:
        assert found == expected
