"""Standard benchmark networks, from pgmpy's files, and one random one."""

import gzip
from functools import cache
from pathlib import Path

import pgmpy

from generators import Network, random_dag
from learners.networks.network_table import NetworkTable
from learners.networks.search import SearchProblem

NAMES = ("alarm", "insurance", "hailfinder", "child", "random, 50 nodes")


@cache
def network(name: str) -> Network:
    if name.startswith("random"):
        return random_dag(n_nodes=50, arity=(2, 4), max_parents=3, random_state=1)
    path = Path(pgmpy.__file__).parent / "utils" / "example_models" / f"{name}.bif.gz"
    return Network.from_bif(gzip.open(path, "rt").read())


@cache
def problem(name: str, n_rows: int, seed: int = 1) -> SearchProblem:
    table = NetworkTable.read(network(name).sample_table(n_rows, random_state=seed))
    return SearchProblem.of(table.codes, table.arities)
