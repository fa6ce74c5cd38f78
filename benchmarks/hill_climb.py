"""Hill climbing over directed acyclic graphs by the same message length: the peer of our searches.

Each step adds, removes or turns the arc that shortens the message most; a restart perturbs the best network
by random steps. It is what pgmpy, bnlearn and others offer, with families cached and differences kept.
"""

import time
from dataclasses import dataclass

import numpy as np

from learners.networks.search import SearchProblem

NOTHING = -1e-9  # nats: what counts as no gain


@dataclass
class Climb:
    length: float
    parents: tuple[tuple[int, ...], ...]
    restarts: int


class HillClimb:
    """Climb at one arc probability.

    Parameters
    ----------
    problem : SearchProblem
    arc_probability : float
    """

    def __init__(self, problem: SearchProblem, arc_probability: float) -> None:
        self.problem, self.p = problem, arc_probability
        self.arc_costs = problem.arc_costs.at(arc_probability)
        self.n = problem.n_nodes
        self.known: dict[tuple[int, int], float] = {}

    def cost(self, v: int, parents: frozenset[int]) -> float:
        key = (v, sum(1 << u for u in parents))
        if key not in self.known:
            members = sorted(parents)
            self.known[key] = self.problem.family_cost(v, members) + float(self.arc_costs[members, v].sum())
        return self.known[key]

    def toggles(self, v: int, parents: frozenset[int]) -> np.ndarray:
        """What toggling each other node as a parent of v changes."""
        now = self.cost(v, parents)
        change = np.full(self.n, np.inf)
        for u in range(self.n):
            if u != v:
                change[u] = self.cost(v, parents ^ {u}) - now
        return change

    def climb(self, parents: list[frozenset[int]], deadline: float) -> tuple[float, list[frozenset[int]]]:
        changes = np.array([self.toggles(v, parents[v]) for v in range(self.n)]).T  # [from, to]
        while time.perf_counter() < deadline:
            arcs = np.zeros((self.n, self.n), bool)
            for v, others in enumerate(parents):
                arcs[list(others), v] = True
            above = reachable(arcs)
            single = np.where(arcs | ~above.T, changes, np.inf)
            turned = np.where(arcs & ~longer_path(arcs, above), changes + changes.T, np.inf)
            step, turn = (
                np.unravel_index(single.argmin(), single.shape),
                np.unravel_index(turned.argmin(), turned.shape),
            )
            if min(single[step], turned[turn]) >= NOTHING:
                break
            u, v = step if single[step] <= turned[turn] else turn
            parents[v] = parents[v] ^ {int(u)}
            changes[:, v] = self.toggles(int(v), parents[v])
            if single[step] > turned[turn]:
                parents[u] = parents[u] ^ {int(v)}
                changes[:, u] = self.toggles(int(u), parents[u])
        total = sum(self.cost(v, others) for v, others in enumerate(parents))
        return total + self.problem.arc_costs.no_arcs(self.p), parents

    def run(self, seconds: float, *, restarts: int, seed: int = 0, n_changes: int = 20) -> Climb:
        """Climb from no arcs, then from perturbations of the best, until the time or the restarts end."""
        rng = np.random.default_rng(seed)
        deadline = time.perf_counter() + seconds
        length, parents = self.climb([frozenset()] * self.n, deadline)
        best, done = Climb(length, frozen(parents), 0), 0
        while done < restarts and time.perf_counter() < deadline:
            length, parents = self.climb(self.perturbed(best.parents, n_changes, rng), deadline)
            done += 1
            if length < best.length:
                best = Climb(length, frozen(parents), done)
        return Climb(best.length, best.parents, done)

    def perturbed(
        self, parents: tuple[tuple[int, ...], ...], n: int, rng: np.random.Generator
    ) -> list[frozenset[int]]:
        changed = [frozenset(others) for others in parents]
        while n:
            u, v = (int(i) for i in rng.choice(self.n, 2, replace=False))
            arcs = np.zeros((self.n, self.n), bool)
            for w, others in enumerate(changed):
                arcs[list(others), w] = True
            if arcs[u, v] or not reachable(arcs)[v, u]:
                changed[v] = changed[v] ^ {u}
                n -= 1
        return changed


def frozen(parents: list[frozenset[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted(others)) for others in parents)


def reachable(arcs: np.ndarray) -> np.ndarray:
    """Which nodes a path leads to, [from, to]; a node reaches itself."""
    reached = arcs | np.eye(len(arcs), dtype=bool)
    for _ in range(int(np.ceil(np.log2(max(len(arcs), 2))))):
        reached = (reached.astype(np.float32) @ reached.astype(np.float32)) > 0
    return reached


def longer_path(arcs: np.ndarray, above: np.ndarray) -> np.ndarray:
    """Whether a path of two arcs or more leads from one node to another: then their arc cannot be turned."""
    strictly = above & ~np.eye(len(arcs), dtype=bool)
    return (arcs.astype(np.float32) @ strictly.astype(np.float32)) > 0
