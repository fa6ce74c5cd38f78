"""The optimum of each law, behind one interface."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators import (
    AODELaw,
    DAGLaw,
    GaussianNaiveBayesLaw,
    GaussianTANLaw,
    KDBLaw,
    Law,
    NaiveBayesLaw,
    TANLaw,
)
from generators.laws._shared.dirichlet import DirichletLaw
from generators.tables.codes import code_dtype
from learners.base import TrainingTable
from learners.bayes._shared.naive_bayes_average import NaiveBayesAverage
from learners.bayes._shared.tree_average import MOST_COLUMNS, TreeAverage
from learners.counts.counts import PairCounts, ValueCounts
from learners.networks.search.order_average import (
    MAX_COMPLETIONS,
    MAX_LAW_NODES,
    OrderAverage,
    check_order_average,
)
from learners.networks.search.order_law import DagLaw, KDependenceLaw, OrderLaw
from learners.tables.attributes import CodedTable
from learners.tables.completions import Completions
from workbench.base.errors import WorkbenchError
from workbench.optimal.aode_mixture import AODEMixtureOptimum, check_products
from workbench.optimal.gaussian_naive_bayes import WIDEST, GaussianNaiveBayesOptimum
from workbench.optimal.gaussian_tan import GaussianTANOptimum

__all__ = ["OPTIMA", "Optimum", "obstacle", "optimum_of", "why_unfit", "why_unmixed"]

Joint = NDArray[np.float64]

COMPLETED_AT_ONCE = 10_000  # rows
#: Below it the evidence of a mixture, estimated by annealing, is too small by more than its error.
LEAST_CONCENTRATION = 0.05


@dataclass(frozen=True, eq=False)
class Optimum:
    """The best forecasts under a law given rows."""

    # of coded rows: log P(row, class | training rows), (n_rows, n_classes), nats
    log_joint: Callable[[CodedTable], Joint]
    # log P(training rows, classes | law), nats, and its Monte Carlo standard error
    evidence: Callable[[], tuple[float, float]]
    # if sampled: P(row, class | rows) up to a factor of each row, (n_chains, n_rows, n_classes)
    chains: Callable[[CodedTable], Joint] | None = None
    about: Mapping[str, float] = field(default_factory=dict)  # how chains went, such as "r_hat"


def _naive_bayes(law: NaiveBayesLaw, table: TrainingTable, seed: int) -> Optimum:
    known = _known_classes(law, table)
    found = NaiveBayesAverage.of(ValueCounts.of(table), law.concentration, known_classes=known)
    return Optimum(lambda rows: found.log_joint(rows.codes), lambda: (found.log_evidence, 0.0))


def _tan(law: TANLaw, table: TrainingTable, seed: int) -> Optimum:
    known = _known_classes(law, table)
    found = TreeAverage.of(PairCounts.of(table), law.concentration, known_classes=known)
    return Optimum(
        lambda rows: found.log_joint(_with_few_holes(rows, table)), lambda: (found.log_evidence, 0.0)
    )


def _with_few_holes(rows: CodedTable, table: TrainingTable) -> NDArray[np.integer]:
    """Return the codes of rows to be forecast, or raise WorkbenchError if too many values are missing."""
    holes = rows.codes >= table.arities[:, None]
    ways = np.where(holes, np.maximum(table.arities, 1.0)[:, None], 1.0).prod(axis=0).max(initial=1.0)
    if ways > MAX_COMPLETIONS:
        raise WorkbenchError(
            f"a row to be forecast can be completed in {ways:.3g} ways, but at most {MAX_COMPLETIONS:,} are "
            "summed: give rows with fewer missing values"
        )
    return rows.codes


def _known_classes(law: DirichletLaw, table: TrainingTable) -> NDArray[np.float64] | None:
    known = law.known_classes(table.n_classes)
    return None if known is None else np.array(known)


def _dag(law: DAGLaw, table: TrainingTable, seed: int) -> Optimum:
    return _over_orders(DagLaw(law.max_parents), law.concentration, table)


def _kdb(law: KDBLaw, table: TrainingTable, seed: int) -> Optimum:
    return _over_orders(KDependenceLaw(law.k, _known_classes(law, table)), law.concentration, table)


def _over_orders(law: OrderLaw, alpha: float, table: TrainingTable) -> Optimum:
    arities = np.append(table.arities, table.n_classes)
    codes = np.vstack([table.codes, table.y]).astype(code_dtype(arities, missing=True))
    found = OrderAverage.of(codes, arities, law=law, alpha=alpha, row_weights=table.weight)
    return Optimum(
        lambda rows: found.log_joint(_with_few_holes(rows, table).astype(codes.dtype)),
        lambda: (found.log_evidence, 0.0),
    )


def _aode(law: AODELaw, table: TrainingTable, seed: int) -> Optimum:
    table = _repeated(table)
    found = AODEMixtureOptimum.of(
        table.codes,
        table.arities,
        table.y,
        table.n_classes,
        alpha=law.concentration,
        shared_class_prior=law.shared_class_prior,
        class_marginal=law.known_classes(table.n_classes),
        seed=seed,
    )

    def chains(rows: CodedTable) -> Joint:
        codes = _with_few_holes(rows, table)
        if not (codes == table.arities[:, None]).any():
            return found.chains(codes)
        out = np.zeros((codes.shape[1], len(found.states), table.n_classes))
        for completed, owners in Completions(codes, table.arities).blocks(COMPLETED_AT_ONCE):
            np.add.at(out, owners, found.chains(completed).swapaxes(0, 1))
        return out.swapaxes(0, 1)

    return Optimum(
        lambda rows: np.log(chains(rows).mean(axis=0)),
        lambda: (found.log_evidence, found.log_evidence_error),
        chains,
        {"r_hat": float(found.r_hat), "n_kept": float(found.n_kept)},
    )


def _repeated(table: TrainingTable) -> TrainingTable:
    """Return the rows repeated by their weights, as each row has its own component."""
    if table.weight is None:
        return table
    if (table.weight % 1).any():
        raise WorkbenchError(
            "weights must be whole numbers under the law of a mixture, as each row has its own "
            "component: repeat rows, or leave weights out"
        )
    times = table.weight.astype(np.int64)
    return table._replace(
        codes=np.repeat(table.codes, times, axis=1), y=np.repeat(table.y, times), weight=None
    )


def _gaussian(law: GaussianNaiveBayesLaw, table: TrainingTable, seed: int) -> Optimum:
    found = GaussianNaiveBayesOptimum.of(
        table.values,
        table.y,
        table.n_classes,
        separation=law.separation,
        spread=law.spread,
        class_alpha=law.concentration,
        class_marginal=law.known_classes(table.n_classes),
        weight=table.weight,
    )
    return Optimum(lambda rows: found.log_joint(rows.values), lambda: (found.log_evidence, 0.0))


def _gaussian_tan(law: GaussianTANLaw, table: TrainingTable, seed: int) -> Optimum:
    found = GaussianTANOptimum.of(
        table.values,
        table.y,
        table.n_classes,
        separation=law.separation,
        effect=law.effect,
        degrees=law.degrees,
        class_alpha=law.concentration,
        class_marginal=law.known_classes(table.n_classes),
        weight=table.weight,
    )

    def log_joint(rows: CodedTable) -> Joint:
        if np.isnan(rows.values).any():
            raise WorkbenchError(
                f"a number is missing in a row to be forecast, and the optimum of {law.words} cannot "
                "integrate over it: give complete rows"
            )
        return found.log_joint(rows.values)

    return Optimum(log_joint, lambda: (found.log_evidence, 0.0))


Make = Callable[[Any, TrainingTable, int], Optimum]
#: How to make the optimum of each law.
OPTIMA: Mapping[type[Law], Make] = MappingProxyType(
    {
        NaiveBayesLaw: _naive_bayes,
        TANLaw: _tan,
        DAGLaw: _dag,
        KDBLaw: _kdb,
        AODELaw: _aode,
        GaussianNaiveBayesLaw: _gaussian,
        GaussianTANLaw: _gaussian_tan,
    }
)
#: Laws of numeric attributes; all others are of nominal ones.
NUMERIC = (GaussianNaiveBayesLaw, GaussianTANLaw)
#: Laws whose optimum takes training rows with missing values.
HOLES = (NaiveBayesLaw, GaussianNaiveBayesLaw)


def obstacle(law: Law, n_attributes: int) -> str | None:
    """Return why truths of a law with so many attributes have no optimum, or None if they have one."""
    if law.obstacle is not None:
        return law.obstacle
    n_attributes -= len(law.ignored)
    law = law.kept
    if type(law) not in OPTIMA:
        return f"no optimum is known for the law {law.kind!r}"
    if isinstance(law, DAGLaw | KDBLaw) and n_attributes >= MAX_LAW_NODES:
        return (
            f"the average over all networks takes at most {MAX_LAW_NODES - 1} attributes, but there are "
            f"{n_attributes}"
        )
    if isinstance(law, TANLaw | GaussianTANLaw) and n_attributes > MOST_COLUMNS:
        what = "the average over all trees"
        return f"{what} takes at most {MOST_COLUMNS} attributes, but there are {n_attributes}"
    if isinstance(law, GaussianNaiveBayesLaw) and law.spread > WIDEST:
        return (
            f"the integral over standard deviations takes a spread of at most {WIDEST:g}, not {law.spread:g}"
        )
    return None


def why_unmixed(law: Law) -> str | None:
    """Return why a law cannot be compared with others by evidence, or None if it can."""
    if law.obstacle is not None:
        return law.obstacle
    if isinstance(law.kept, AODELaw) and law.kept.concentration < LEAST_CONCENTRATION:
        return (
            f"the evidence of {law.kept.words} cannot be estimated: annealing needs a concentration of at "
            f"least {LEAST_CONCENTRATION:g}"
        )
    return None


def why_unfit(law: Law, table: TrainingTable) -> str | None:
    """Return why a table cannot come from a law with an optimum, or None. Not for added attributes."""
    why = obstacle(law, len(table.codes) + len(table.values))
    if why is not None:
        return why
    known = getattr(law, "class_marginal", None)
    if known is not None and len(known) != table.n_classes:
        return f"the law has {len(known)} classes, but the table has {table.n_classes}"
    if isinstance(law, NUMERIC):
        if len(table.codes):
            return "the law is for numeric attributes, but some attributes are nominal"
    elif len(table.values):
        return "the law is for nominal attributes, but some attributes are numeric"
    has_holes = (table.codes == table.arities[:, None]).any() or np.isnan(table.values).any()
    if has_holes and not isinstance(law, HOLES):
        return f"values are missing in the training rows, but the law is {law.words}"
    return _why_too_large(law, table)


def _why_too_large(law: Law, table: TrainingTable) -> str | None:
    """Return why a table is too large for the optimum of its law, or None if it is not."""
    n_rows = len(table.y) if table.weight is None else int(table.weight.sum())
    try:
        if isinstance(law, DAGLaw | KDBLaw):
            check_order_average(len(table.codes) + 1, table.n_classes)
        if isinstance(law, AODELaw):
            check_products(table.arities, n_rows, law.concentration)
    except ValueError as error:
        why = str(error).removesuffix(".")
        return f"{why[0].lower()}{why[1:]}"
    return None


def optimum_of(law: Law, table: TrainingTable, seed: int) -> Optimum:
    """Return the best forecasts under a law given the rows of a table, or raise WorkbenchError."""
    why = why_unfit(law, table)
    if why is not None:
        raise WorkbenchError(f"there is no optimum: {why}")
    return OPTIMA[type(law)](law, table, seed)
