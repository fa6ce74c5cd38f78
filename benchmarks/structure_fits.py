"""Fits of structure learners, and what their networks are worth: distance, bits lost, length of our message.

Every learner gets the same table of text, as read from a file: it knows the states that occur in the rows.
Learners that are told the states know those of the true network too. Each result is kept as it comes, so that
a run goes on where it was stopped; delete KEPT to begin anew.
"""

import json
import multiprocessing
import resource
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.known_networks import network
from benchmarks.report import say
from generators import Network, random_dag
from generators.networks.patterns import structural_distance
from learners import learn_network
from learners.code_lengths.network import estimated_arc_probability
from learners.networks.network_table import NetworkTable
from learners.networks.search import SearchProblem

KEPT = Path("build") / "structure_search.jsonl"
KNOWN = ("sachs", "child", "insurance", "water", "alarm", "hailfinder", "hepar2", "win95pts")
SIZES = (20, 50, 100, 200)
ROWS, SEEDS = (500, 5000), (1, 2, 3)
UNSEEN = ("insurance", "water")  # some of whose states do not occur in the rows
LIMIT = 60  # CPU seconds of a fit
FRESH = 10_000  # rows by which structures are judged

Parents = tuple[tuple[int, ...], ...]
Learner = Callable[[pd.DataFrame], Parents]
Record = dict[str, Any]


def ours(X: pd.DataFrame, **options: Any) -> Parents:
    return learn_network(X, random_state=0, **options).network.parent_indices


def pgmpy_climb(X: pd.DataFrame, score: str, tabu: int) -> Parents:
    from pgmpy.causal_discovery import HillClimbSearch

    climb = HillClimbSearch(scoring_method=score, tabu_length=tabu, return_type="dag", show_progress=False)
    return by_index(X, climb.fit(X).causal_graph_.edges())


def agrum(
    X: pd.DataFrame, search: str, option: str | None, told: bool = False, smoothing: float | None = None
) -> Parents:
    import pyagrum

    pyagrum.setNumberOfThreads(1)
    given = [X.astype(str)]
    if told:
        given.append(pyagrum.BayesNet())
        for name in X:
            given[1].add(pyagrum.LabelizedVariable(name, "", [*map(str, X[name].cat.categories)]))
    learner = pyagrum.BNLearner(*given)
    getattr(learner, f"use{search}")()
    if option:
        getattr(learner, f"use{option}")()
    if smoothing:
        learner.useSmoothingPrior(smoothing)
    arcs = learner.learnDAG().arcs()
    return by_index(X, [(learner.nameFromId(u), learner.nameFromId(v)) for u, v in arcs])


def by_index(X: pd.DataFrame, arcs: Any) -> Parents:
    place = {name: v for v, name in enumerate(X)}
    parents: list[list[int]] = [[] for _ in place]
    for u, v in arcs:
        parents[place[v]].append(place[u])
    return tuple(tuple(sorted(others)) for others in parents)


OURS = "ours"
LEARNERS: dict[str, Learner] = {
    OURS: ours,
    f"{OURS}, search_factor=0.1": lambda X: ours(X, search_factor=0.1),
    "pgmpy, hill climb, BIC": lambda X: pgmpy_climb(X, "bic-d", 0),
    "pgmpy, tabu, BIC": lambda X: pgmpy_climb(X, "bic-d", 100),
    "pgmpy, tabu, BDeu": lambda X: pgmpy_climb(X, "bdeu", 100),
    "pyAgrum, greedy, BDeu": lambda X: agrum(X, "GreedyHillClimbing", "ScoreBDeu"),
    "pyAgrum, greedy, BIC": lambda X: agrum(X, "GreedyHillClimbing", "ScoreBIC"),
    "pyAgrum, tabu, BDeu": lambda X: agrum(X, "LocalSearchWithTabuList", "ScoreBDeu"),
    "pyAgrum, tabu, BIC": lambda X: agrum(X, "LocalSearchWithTabuList", "ScoreBIC"),
    "pyAgrum, tabu, K2": lambda X: agrum(X, "LocalSearchWithTabuList", "ScoreK2"),
    "pyAgrum, tabu, BD of 1/2": lambda X: agrum(X, "LocalSearchWithTabuList", "ScoreBD", smoothing=0.5),
    "pyAgrum, MIIC": lambda X: agrum(X, "MIIC", None),
    "pyAgrum, MIIC, NML": lambda X: agrum(X, "MIIC", "NMLCorrection"),
}
#: For the networks UNSEEN.
TOLD: dict[str, Learner] = {
    "ours, told the states": ours,
    "pyAgrum, tabu, BDeu, told the states": lambda X: agrum(X, "LocalSearchWithTabuList", "ScoreBDeu", True),
    "pyAgrum, tabu, BIC, told the states": lambda X: agrum(X, "LocalSearchWithTabuList", "ScoreBIC", True),
    "pyAgrum, tabu, K2, told the states": lambda X: agrum(X, "LocalSearchWithTabuList", "ScoreK2", True),
    "pyAgrum, MIIC, told the states": lambda X: agrum(X, "MIIC", None, True),
}
#: For the known networks and the fewest rows: what parts of our score do.
PARTS: dict[str, Learner] = {
    "an arc as likely as none": lambda X: ours(X, arc_probability=0.5),
    "no constant a parameter": lambda X: ours(X, constant="none"),
    "neither": lambda X: ours(X, arc_probability=0.5, constant="none"),
}
TRUTH = "the true arcs"
#: Pseudo-count of each state, given the numbers of states and of configurations of the parents.
ESTIMATES: dict[str, Callable[[int, float], float]] = {
    "1/2 a state": lambda r, q: 0.5,
    "1 a state": lambda r, q: 1.0,
    "BDeu, 1 row": lambda r, q: 1 / (r * q),
    "BDeu, 10 rows": lambda r, q: 10 / (r * q),
}


@dataclass(frozen=True)
class Fit:
    """What a learner found, and its CPU seconds; nothing if it took longer than allowed."""

    parents: Parents | None
    seconds: float | None


def fit_within(limit: int, learn: Learner, X: pd.DataFrame) -> Fit:
    """Learn in a child process, which the system ends after so many seconds of CPU."""
    fork = multiprocessing.get_context("fork")  # kernels that the parent has compiled are there
    receiver, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=_learn, args=(sender, limit, learn, X))
    child.start()
    sender.close()
    try:
        found = receiver.recv()
    except EOFError:
        return Fit(None, None)
    finally:
        child.join()
    if isinstance(found, Exception):
        raise found
    return found


def _learn(sender: Any, limit: int, learn: Learner, X: pd.DataFrame) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.process_time()
        try:
            sender.send(Fit(learn(X), time.process_time() - start))
        except Exception as error:  # the parent ends with it
            sender.send(error)


class Referee:
    """Rows of a true network to learn from, and fresh rows by which structures are judged."""

    def __init__(self, truth: Network, n_rows: int, n_fresh: int, seed: int) -> None:
        self.truth, self.n_rows = truth, n_rows
        self.told = _as_text(truth.sample_table(n_rows, random_state=seed))
        self.X = self.told.apply(lambda column: column.cat.remove_unused_categories())
        fresh = truth.sample_table(n_fresh, random_state=1000 + seed)
        self.best = float(-truth.log_joint(fresh).mean() / log(2))
        seen = NetworkTable.read(self.X)
        self.problem = SearchProblem.of(seen.codes, seen.arities)
        tables = (self.told, _as_text(fresh))
        self.codes = np.hstack([np.array([X[name].cat.codes for name in X]) for X in tables]).astype(np.int64)

    def judge(self, parents: Parents) -> dict[str, Any]:
        """Return the distance, the bits of our message, and the bits that a fresh row loses to the truth.

        Arcs at columns with a single state do not count: no rows speak for them, and pyAgrum's scores add
        some by rounding.
        """
        parents = self.without_constants(parents)
        p = estimated_arc_probability(sum(map(len, parents)), self.problem.arc_costs.n_pairs)
        return {
            "shd": structural_distance(parents, self.without_constants(self.truth.parent_indices)).shd,
            "arcs": sum(map(len, parents)),
            "most_parents": max(map(len, parents)),
            "message": self.problem.length(parents, p) / log(2),
            "lost": self.bits_lost(parents),
        }

    def without_constants(self, parents: Parents) -> Parents:
        """Leave out arcs from and to columns that have a single state in the rows."""
        varies = [self.X[name].nunique() > 1 for name in self.X]
        return tuple(tuple(u for u in others if varies[u] and varies[v]) for v, others in enumerate(parents))

    def bits_lost(self, parents: Parents) -> dict[str, float]:
        """Bits a fresh row beyond those that the truth needs, by the estimate of the probabilities."""
        bits = dict.fromkeys(ESTIMATES, -self.best)
        for v, others in enumerate(parents):
            seen, total, n_cells = self._counts(v, others)
            r = int(self.truth.arities[v])
            for name, pseudo_count in ESTIMATES.items():
                alpha = pseudo_count(r, n_cells)
                bits[name] -= float(np.log2((seen + alpha) / (total + alpha * r)).mean())
        return bits

    def _counts(self, child: int, parents: Sequence[int]) -> tuple[NDArray[Any], NDArray[Any], float]:
        """For each fresh row, count the training rows with its parents and child, and with its parents."""
        arities, n = self.truth.arities, self.n_rows
        cell = np.zeros(self.codes.shape[1], np.int64)
        for u in parents:  # numbered anew each time: a dense table may not fit
            cell = np.unique(cell * arities[u] + self.codes[u], return_inverse=True)[1]
        r, value = int(arities[child]), self.codes[child]
        counts = np.bincount(cell[:n] * r + value[:n], minlength=(int(cell.max()) + 1) * r).reshape(-1, r)
        n_cells = float(np.prod(arities[list(parents)], dtype=float))
        return counts[cell[n:], value[n:]], counts.sum(axis=1)[cell[n:]], n_cells


def _as_text(table: pd.DataFrame) -> pd.DataFrame:
    return table.apply(lambda column: column.cat.rename_categories(str))


class Setting(NamedTuple):
    """A true network, known by name or drawn with this many nodes, and the rows to learn from."""

    network: str | int
    rows: int
    seed: int

    def truth(self) -> Network:
        if isinstance(self.network, str):
            return network(self.network)
        return random_dag(n_nodes=self.network, arity=(2, 4), max_parents=3, random_state=self.seed)


def settings() -> list[Setting]:
    """First training sets come first, so that what they took says how long the others will take."""
    return [Setting(name, rows, seed) for seed in SEEDS for name in (*KNOWN, *SIZES) for rows in ROWS]


def measured() -> pd.DataFrame:
    """Make the fits that are not kept yet, and return all."""
    KEPT.parent.mkdir(exist_ok=True)
    records = [json.loads(line) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []
    done = {(setting_of(record), record["learner"]) for record in records}
    missing = {
        setting: [name for name in learners_of(setting) if (setting, name) not in done]
        for setting in settings()
    }
    if any(missing.values()):
        warm_up()
    with KEPT.open("a") as kept:
        for setting, names in missing.items():
            for record in results(setting, names, records):
                records.append(record)
                kept.write(json.dumps(record) + "\n")
                kept.flush()
    return pd.DataFrame(records)


def learners_of(setting: Setting) -> list[str]:
    told = TOLD if setting.network in UNSEEN else []
    parts = PARTS if setting.network in KNOWN and setting.rows == min(ROWS) else []
    return [TRUTH, *LEARNERS, *told, *parts]


def results(setting: Setting, names: list[str], records: list[Record]) -> Iterator[Record]:
    if not names:
        return
    referee = Referee(setting.truth(), setting.rows, FRESH, setting.seed)
    for name in names:
        say(
            f"{setting.network}, {setting.rows} rows, set {setting.seed}, {name}{time_left(setting, records)}"
        )
        if name == TRUTH:
            fit = Fit(referee.truth.parent_indices, None)
        elif hopeless(setting, name, records):
            fit = Fit(None, None)
        elif name in TOLD:
            fit = fit_within(LIMIT, TOLD[name], referee.told)
        else:
            fit = fit_within(LIMIT, {**LEARNERS, **PARTS}[name], referee.X)
        judged = referee.judge(fit.parents) if fit.parents is not None else {}
        yield {**setting._asdict(), "learner": name, "seconds": fit.seconds, "parents": fit.parents, **judged}


def hopeless(setting: Setting, name: str, records: list[Record]) -> bool:
    """Whether the learner took too long on no more rows of the same network, or of a smaller random one."""
    over = [setting_of(r) for r in records if r["learner"] == name and r["parents"] is None]
    return any(other.rows <= setting.rows and _no_larger(other.network, setting.network) for other in over)


def _no_larger(one: str | int, other: str | int) -> bool:
    both_random = isinstance(one, int) and isinstance(other, int)
    return one <= other if both_random else one == other


def setting_of(record: Record) -> Setting:
    return Setting(record["network"], record["rows"], record["seed"])


def time_left(setting: Setting, records: list[Record]) -> str:
    """Say about how long the fits that are left will take, once the first training sets are done."""
    if setting.seed == SEEDS[0]:
        return ""
    frame = pd.DataFrame(records)
    spent = frame.groupby("seed")["seconds"].sum()
    left = spent[SEEDS[0]] * (len(SEEDS) - 1) - spent.drop(SEEDS[0]).sum()
    return f"; about {left / 60:.0f} minutes of fits left"


def warm_up() -> None:
    """Compile and import what is used, so that children find it."""
    for name, learn in LEARNERS.items():
        for setting in (Setting("sachs", 500, 1), Setting("child", 500, 1)):
            say(f"warming up: {name}")
            learn(Referee(setting.truth(), setting.rows, 10, setting.seed).X)
