"""Structure search against pgmpy and pyAgrum: `python -m benchmarks.structure_search [PAGE.md] [FIGURE.png]`.

PYTHONHASHSEED=0 makes it repeatable: pgmpy settles ties by the order of a set of strings.
"""

import itertools
import textwrap
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from threadpoolctl import threadpool_limits

from benchmarks.report import hand_out
from benchmarks.structure_fits import (
    ESTIMATES,
    FRESH,
    KNOWN,
    LEARNERS,
    LIMIT,
    OURS,
    PARTS,
    ROWS,
    SEEDS,
    SIZES,
    TOLD,
    TRUTH,
    UNSEEN,
    Setting,
    measured,
)
from workbench.report import notes

OTHERS = [name for name in LEARNERS if name != OURS]
PEERS = [name for name in OTHERS if not name.startswith(OURS)]
NETWORKS = [*KNOWN, *map(str, SIZES)]
HEADINGS = [*KNOWN, *(f"random, {size}" for size in SIZES)]
FEW, NODES = min(ROWS), ", ".join(map(str, SIZES))
WIDTH = 110  # of lines of the page
SAME = 1e-6  # bits that count as equal
#: Measures in words, and digits; and those that are compared over networks of different sizes.
MEASURES = {"lost": ("bits lost", 3), "shd": ("distance", 1)}
COMPARED = {"lost": ("bits lost", 3), "percent": ("distance, % of the true arcs,", 0)}


def prepared(frame: pd.DataFrame) -> pd.DataFrame:
    """Give each estimate of the probabilities a column of its own; "lost" is that of the first."""
    lost = pd.DataFrame([each if isinstance(each, dict) else {} for each in frame["lost"]])
    frame = pd.concat([frame.drop(columns="lost"), lost], axis=1)
    frame = frame.assign(lost=frame[next(iter(ESTIMATES))], network=frame["network"].astype(str))
    frame = frame.set_index(["rows", "network", "learner", "seed"]).sort_index()
    true_arcs = frame["arcs"].xs(TRUTH, level="learner")
    return frame.assign(
        percent=100 * frame["shd"] / true_arcs.reindex(frame.index.droplevel("learner")).values
    )


def of(frame: pd.DataFrame, rows: int, network: str, learner: str, measure: str) -> pd.Series:
    """Return a learner's values by training set; NaN where it took too long."""
    return frame.loc[(rows, network, learner), measure]


def mean(frame: pd.DataFrame, rows: int, network: str, learner: str, measure: str) -> float:
    """Return a learner's mean over the training sets; NaN if it took too long on one."""
    return float(of(frame, rows, network, learner, measure).mean(skipna=False))


def more(frame: pd.DataFrame, rows: int, network: str, learner: str, measure: str) -> pd.Series:
    """Return by how much a learner's values exceed ours, by training set."""
    return of(frame, rows, network, learner, measure) - of(frame, rows, network, OURS, measure)


def verdict(differences: pd.Series) -> int:
    """Return 1 if ours is ahead by more than the 95% interval, -1 if it is behind, 0 if they are level."""
    beyond = abs(differences.mean()) > notes.half_width(differences)
    return int(np.sign(differences.mean()) * beyond)


def over_known(frame: pd.DataFrame, rows: int, learner: str, measure: str) -> pd.Series:
    """Return by how much a learner exceeds ours on each known network that it finished, on average."""
    means = [more(frame, rows, network, learner, measure).mean(skipna=False) for network in KNOWN]
    return pd.Series(means, index=list(KNOWN)).dropna()


def log_ratios(frame: pd.DataFrame, rows: int, learner: str, measure: str) -> pd.Series:
    """Return the logarithm of the ratio to ours on each known network that it finished, on average."""
    logs = frame[[measure]].astype(float).apply(np.log)
    return over_known(logs, rows, learner, measure)


def interval(values: pd.Series, digits: int) -> str:
    return notes.interval(values, digits, signed=True) if len(values) > 1 else "–"


def summary(frame: pd.DataFrame, rows: int) -> str:
    """Each peer less ours over the known networks, and on how many of them ours is ahead, level, behind."""
    heads = ["learner", "finished", "CPU time / ours"]
    for words, _ in COMPARED.values():
        heads += [f"{words} minus ours", "ours ahead, level, behind"]
    lines = []
    for name in OTHERS:
        ratio = np.exp(log_ratios(frame, rows, name, "seconds").mean())
        cells = [name, f"{len(over_known(frame, rows, name, 'lost'))} of {len(KNOWN)}", f"{ratio:.2g}"]
        for measure, (_, digits) in COMPARED.items():
            found = verdicts(frame, rows, name, measure)
            cells += [interval(over_known(frame, rows, name, measure), digits), counted(found)]
        lines.append(cells)
    return notes.table(heads, lines)


def verdicts(frame: pd.DataFrame, rows: int, learner: str, measure: str) -> dict[str, int]:
    """Return the verdict on each known network that the learner finished."""
    differences = {network: more(frame, rows, network, learner, measure) for network in KNOWN}
    return {network: verdict(each) for network, each in differences.items() if each.notna().all()}


def counted(found: dict[str, int]) -> str:
    return ", ".join(str(list(found.values()).count(sign)) for sign in (1, 0, -1))


def matrix(frame: pd.DataFrame, rows: int, measure: str) -> str:
    """Mean of each learner on each network: bold where it is ahead of ours, = where they are level."""
    lines = []
    for name in [TRUTH, *LEARNERS] if measure == "lost" else LEARNERS:
        cells = [name]
        for network in NETWORKS:
            value = mean(frame, rows, network, name, measure)
            text = "" if np.isnan(value) else f"{value:.{MEASURES[measure][1]}f}"
            if text and name not in (OURS, TRUTH):
                sign = verdict(more(frame, rows, network, name, measure))
                text = {1: text, 0: f"{text} =", -1: f"**{text}**"}[sign]
            cells.append(text)
        lines.append(cells)
    return notes.table(["", *HEADINGS], lines)


def seconds(frame: pd.DataFrame, rows: int) -> str:
    lines = []
    for name in LEARNERS:
        means = [mean(frame, rows, network, name, "seconds") for network in NETWORKS]
        lines.append([name, *(f"over {LIMIT}" if np.isnan(value) else f"{value:.2g}" for value in means)])
    return notes.table(["", *HEADINGS], lines)


def estimates(frame: pd.DataFrame) -> str:
    """Bits lost less ours, under each estimate of the probabilities."""
    cases = [(rows, name) for rows in ROWS for name in ESTIMATES]
    heads = ["learner", *(f"{name}, {rows} rows" for rows, name in cases)]
    lines = ([name, *(interval(over_known(frame, rows, name, e), 2) for rows, e in cases)] for name in OTHERS)
    found = ", ".join(f"{' / '.join(map(str, tally(frame, name)))} ({name})" for name in ESTIMATES)
    return f"{notes.table(heads, lines)}\n\nPairs where ours is ahead / level / behind: {found}."


def messages(frame: pd.DataFrame) -> str:
    """Does our search miss a shorter message?"""
    heads = ["network", "rows", "our message, bits", "true arcs: longer by", "best peer: longer by"]
    heads += [
        f"{what}: {whose}" for what in ("free probabilities", "bits lost") for whose in ("true arcs", OURS)
    ]
    lines = []
    for network in KNOWN:
        for rows in ROWS:
            closest = np.nanmin([more(frame, rows, network, name, "message").min() for name in PEERS])
            truth = more(frame, rows, network, TRUTH, "message").mean()
            cells = [network, str(rows), f"{mean(frame, rows, network, OURS, 'message'):.0f}"]
            cells += [f"{truth:+.0f}", f"{closest:+.1f}"]
            cells += [f"{free_parameters(frame, rows, network, name):.0f}" for name in (TRUTH, OURS)]
            cells += [f"{mean(frame, rows, network, name, 'lost'):.3f}" for name in (TRUTH, OURS)]
            lines.append(cells)
    return notes.table(heads, lines)


def free_parameters(frame: pd.DataFrame, rows: int, network: str, learner: str) -> float:
    """Return the number of free probabilities of a learner's tables, on average over the training sets."""
    arities = Setting(network, rows, SEEDS[0]).truth().arities
    return float(
        np.mean(
            [
                sum((arities[v] - 1) * arities[list(others)].prod() for v, others in enumerate(parents))
                for parents in of(frame, rows, network, learner, "parents")
            ]
        )
    )


def parts(frame: pd.DataFrame) -> str:
    """Bits lost and distance of ours without parts of its score."""
    names = [OURS, *PARTS]
    lines = []
    for network in KNOWN:
        values = [[mean(frame, FEW, network, name, measure) for measure in MEASURES] for name in names]
        lines.append([network, *(f"{lost:.3f}, {shd:.1f}" for lost, shd in values)])
    whole = [mean(frame, FEW, network, OURS, "lost") for network in KNOWN]
    fewer = {
        name: sum(mean(frame, FEW, n, name, "lost") < lost for n, lost in zip(KNOWN, whole, strict=True))
        for name in PARTS
    }
    counts = ", ".join(f"{n} ({name})" for name, n in fewer.items())
    found = f"Fewer bits are lost than with the whole score on {counts} of {len(KNOWN)} networks."
    return notes.table(["bits lost, distance", *names], lines) + "\n\n" + found


def told(frame: pd.DataFrame) -> str:
    """Bits lost and distance of learners that know all states."""
    lines = []
    for name in TOLD:
        plain = name.removesuffix(", told the states")
        for rows in ROWS:
            cells = [plain, str(rows)]
            for network in UNSEEN:
                for measure, (_, digits) in MEASURES.items():
                    pair = (mean(frame, rows, network, n, measure) for n in (plain, name))
                    cells.append(" → ".join(f"{value:.{digits}f}" for value in pair))
            lines.append(cells)
    heads = [f"{network}, {words}" for network in UNSEEN for words, _ in MEASURES.values()]
    return notes.table(["learner", "rows", *heads], lines) + "\n\n" + ahead_when_told(frame)


def ahead_when_told(frame: pd.DataFrame) -> str:
    """List where a peer is ahead of ours when both know all states."""
    ours, *peers = TOLD
    found = []
    for measure, (words, _) in MEASURES.items():
        for name in peers:
            for network, rows in itertools.product(UNSEEN, ROWS):
                own, other = (of(frame, rows, network, each, measure) for each in (ours, name))
                if verdict(other - own) < 0:
                    plain = name.removesuffix(", told the states").replace(", ", " ")
                    found.append(f"{plain} on {network} with {rows} rows ({words})")
    return f"If all states are known, these are ahead of ours: {', '.join(found) or 'none'}."


def nearest(frame: pd.DataFrame, rows: int, measure: str) -> str:
    """Report which peer comes nearest to ours over the known networks, and by how much it is behind."""
    whole = [name for name in PEERS if len(over_known(frame, rows, name, measure)) == len(KNOWN)]
    best = min(whole, key=lambda name: over_known(frame, rows, name, measure).mean())
    digits, behind = MEASURES[measure][1], over_known(frame, rows, best, measure)
    found = f"{interval(behind, digits)} ({best})"
    for name in set(PEERS) - set(whole):
        on_fewer = over_known(frame, rows, name, measure)
        if on_fewer.mean() < behind[on_fewer.index].mean():
            found += f", on the {len(on_fewer)} that {name} finished {interval(on_fewer, digits)}"
    return found


def tally(frame: pd.DataFrame, measure: str) -> tuple[int, int, int]:
    """Count pairs of a peer and a known network of each size where ours is ahead, level and behind."""
    found = [v for rows in ROWS for name in PEERS for v in verdicts(frame, rows, name, measure).values()]
    return found.count(1), found.count(0), found.count(-1)


def answer(frame: pd.DataFrame) -> str:
    """Sum up in numbers."""
    few, many = (nearest(frame, rows, "lost") for rows in ROWS)
    lost, shd = (tally(frame, measure) for measure in MEASURES)
    agrum, pgmpy = ([times(frame, whose, rows) for rows in ROWS] for whose in ("pyAgrum", "pgmpy"))
    return textwrap.fill(
        f"**Answer.** On {sum(lost)} pairs of a peer and a known network of a size, ours loses significantly "
        f"fewer bits in {lost[0]} and more in {lost[2]}. Its distance is significantly smaller in {shd[0]} "
        f"and larger in {shd[2]}. The nearest peer that finished all networks loses {few} bits a row more "
        f"than ours with {ROWS[0]} rows, and {many} with {ROWS[1]}. Searches of pyAgrum are faster. They "
        f"take {agrum[0]} of our CPU time with {ROWS[0]} rows and {agrum[1]} with {ROWS[1]}. The "
        f"minimum is {slowest(frame)}. Searches of pgmpy take {pgmpy[0]} and {pgmpy[1]} times ours, and over "
        f"{LIMIT} s on large networks. {shorter_messages(frame)}",
        WIDTH,
    )


def times(frame: pd.DataFrame, whose: str, rows: int) -> str:
    """Return the least and the most CPU time of one's learners, in ours."""
    found = [np.exp(log_ratios(frame, rows, name, "seconds").mean()) for name in PEERS if whose in name]
    return f"{min(found):.2g} to {max(found):.2g}"


def slowest(frame: pd.DataFrame) -> str:
    """Report what share of our CPU time a peer takes on the network that is worst for ours."""
    ratios = {
        (network, rows, name): value
        for rows in ROWS
        for name in PEERS
        for network, value in log_ratios(frame, rows, name, "seconds").items()
    }
    (network, rows, _), least = min(ratios.items(), key=lambda item: item[1])
    return f"1/{np.exp(-least):.0f} on {network} with {rows} rows"


def shorter_messages(frame: pd.DataFrame) -> str:
    """Report how often the true arcs or another network have a shorter message than ours."""
    differences = pd.concat(
        [
            pd.concat([more(frame, rows, network, name, "message") for name in [TRUTH, *OTHERS]], axis=1).min(
                axis=1
            )
            for rows in ROWS
            for network in NETWORKS
        ]
    )
    missed = -differences[differences < -SAME]
    found = f"{len(missed)} of {len(differences)} training sets"
    most = f" (by up to {missed.max():.0f} bits)" if len(missed) else ""
    return f"Our search missed a shorter message on {found}{most}."


def page(frame: pd.DataFrame) -> str:
    """Return the section of the page that is between markers, with all tables."""
    frame = prepared(frame)
    sections = [HEAD, DESIGN, MEASURED, answer(frame), FIGURE, "## Known networks on average", ON_AVERAGE]
    for rows in ROWS:
        sections += [f"**{rows} rows**", summary(frame, rows)]
    sections += ["## Each network", EACH]
    for rows in ROWS:
        for measure, (words, _) in MEASURES.items():
            sections += [f"**{words.capitalize()}, {rows} rows**", matrix(frame, rows, measure)]
        sections += [f"**CPU seconds, {rows} rows**", seconds(frame, rows)]
    sections += ["## Estimates of the probabilities", ESTIMATED]
    sections += ["**Bits lost minus ours by the estimate of the probabilities**", estimates(frame)]
    sections += ["## Messages and parts of the score", MESSAGES]
    sections += ["**Messages of the true arcs and of peers**", messages(frame)]
    sections += [SCORE, "**Without parts of the score**", parts(frame)]
    sections += ["## States that do not occur", STATES]
    sections += ["**Learners that are told all states**", told(frame)]
    return "\n\n".join(sections)


def write(text: str, place: Path) -> None:
    """Write the section; tables but those of the averages become files."""
    notes.write_section(place, text, "structure_search", stays=[f"{rows} rows" for rows in ROWS])


HEAD = f"""`make structure-search` writes this page in an hour of CPU time. A stopped run can be continued.
Versions: pgmpy {version("pgmpy")}, pyAgrum {version("pyagrum")}.

**Question.** How do networks found by `learn_network` compare with those of pgmpy and pyAgrum in distance
to the truth, predictions of new rows and CPU time?"""
DESIGN = f"""**Design.** {len(KNOWN)} known networks come with pgmpy. Random networks have {NODES} nodes, 2
to 4 values and at most 3 parents. Their probability tables are uniform over the simplex, as our score and
K2 assume. Each known network has {len(SEEDS)} training sets, and each size {len(SEEDS)} random networks,
with {FEW} and {max(ROWS)} rows. Learners get tables of text, so they know only the states that occur. They
have default options except for the named score. The tabu list of pgmpy never accepts a worse network. *BD
of 1/2* has Dirichlet priors of half a count per state. A fit has one thread and at most {LIMIT} s of CPU
time, after imports and compilation. Learners that need more are not tried again on that network or on
larger random ones."""
MEASURED = f"""*Distance* is the structural Hamming distance between patterns, without arcs at constant
columns. *Bits lost* are the cost per row beyond that under the truth, on {FRESH:,} new rows. All
structures have the same estimate (n + 1/2) / (N + r/2) of the probabilities."""
FIGURE = "![CPU time, distance and bits lost of peers, relative to ours](../figures/structure_search.png)"
ON_AVERAGE = f"""Means over the known networks that a learner finished are paired with ours, with 95%
intervals over networks. CPU time ratios are geometric means. On a network, *ahead* and *behind* exceed the
95% interval over {len(SEEDS)} training sets, which is wide. Learners that finished fewer networks are not
comparable with others."""
EACH = f"""Values are means over {len(SEEDS)} training sets or random networks. **Bold**: significantly
better than ours. An equals sign marks insignificant differences. *The true arcs* have probabilities from
the same rows. With few rows a simpler structure may predict better."""
ESTIMATED = """Probabilities of *all* structures are estimated by (n + a) / (N + a r). Ours has a = 1/2,
pyAgrum's smoothing 1. BDeu shares the weight of 1 row, or of 10 as in pgmpy, among the cells of a table.
Means are over the known networks that a learner finished."""
MESSAGES = """A shorter message of a peer, or of the true arcs, would reveal a failed search. *Longer by*
is its length minus ours, as a mean for the true arcs and as the minimum over peers and training sets. If
none is shorter, ours omits arcs for whose probabilities there are too few rows."""
SCORE = f"""Our score charges each arc (about 3 bits, by the share of pairs that are joined) and each free
probability (1/4 bit beyond its adaptive code). The next table omits these charges, with {FEW} rows."""
STATES = """Some states of insurance and water do not occur in the rows. Cells are for learners that know
only the states that occur → all states. Categories of pandas tell ours, a template tells pyAgrum."""


def draw(frame: pd.DataFrame, place: Path) -> None:
    frame = prepared(frame)
    with notes.figure_style({"axes.grid.axis": "x"}):
        figure = Figure(figsize=(8.0, 3.6), layout="constrained")
        axes = figure.subplots(1, 3, sharey=True)
        for rows, shift, marker, color in zip(ROWS, (-0.16, 0.16), "os", notes.SERIES, strict=False):
            style = {"color": color, "marker": marker, "linestyle": "", "markersize": 4.0}
            for y, name in enumerate(OTHERS):
                values = (
                    log_ratios(frame, rows, name, "seconds"),
                    over_known(frame, rows, name, "percent"),
                    log_ratios(frame, rows, name, "lost"),
                )
                label = f"{rows} rows" if y == 0 else None
                for axis, value, is_log in zip(axes, values, (True, False, True), strict=True):
                    _draw_interval(axis, y + shift, value, is_log, {**style, "label": label})
        _label(axes)
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
        notes.save_figure(figure, place)


def _draw_interval(axis: Any, y: float, values: pd.Series, is_log: bool, style: dict[str, Any]) -> None:
    ends = values.mean() + notes.half_width(values) * np.array([-1, 0, 1])
    low, middle, high = np.exp(ends) if is_log else ends
    axis.errorbar(middle, y, xerr=[[middle - low], [high - middle]], elinewidth=1.0, **style)


def _label(axes: Any) -> None:
    axes[0].set(title="CPU time of a fit", xlabel="times ours", xscale="log")
    axes[1].set(title="distance from the truth", xlabel="% of the true arcs, less ours")
    axes[2].set(title="bits lost on new rows", xlabel="times ours", xscale="log")
    axes[0].set_yticks(range(len(OTHERS)), OTHERS)
    axes[0].invert_yaxis()
    for axis, at in zip(axes, (1, 0, 1), strict=True):
        axis.axvline(at, color="black", linewidth=0.8)
    for axis in axes[::2]:
        axis.xaxis.set_major_formatter(lambda value, _: f"{value:g}")


def main() -> None:
    with threadpool_limits(1):
        frame = measured()
    hand_out(page(frame), lambda place: draw(frame, place), write)


if __name__ == "__main__":
    main()
