"""Networks of any shape, for the tests of `generators`."""

from collections.abc import Callable

import pytest

from generators import Network
from generators.base.draw import as_generator, random_integer, random_order
from generators.base.probabilities import random_rows


def _random_network(
    seed: int, n_variables: int = 5, max_parents: int = 3, max_arity: int = 4, concentration: float = 1.0
) -> Network:
    rng = as_generator(seed)
    order = random_order(rng, n_variables)
    arities = [random_integer(rng, 1 if n_variables < 9 else 2, max_arity) for _ in range(n_variables)]
    parents: list[tuple[int, ...]] = [()] * n_variables
    for place, child in enumerate(order):
        earlier = [order[position] for position in random_order(rng, place)]
        parents[child] = tuple(earlier[: random_integer(rng, 0, max_parents)])
    cpts = [
        random_rows(rng, [arities[v] for v in (*parents[child], child)], concentration=concentration)
        for child in range(n_variables)
    ]
    names = [f"v{index}" for index in range(n_variables)]
    return Network(
        names, [tuple(range(r)) for r in arities], parents, cpts, random_integer(rng, 0, n_variables - 1)
    )


@pytest.fixture(scope="session")
def random_network() -> Callable[..., Network]:
    """Return a function from a seed to a network with any order, arcs and arities, its class anywhere."""
    return _random_network
