"""Measure how often the intervals of ranks and strengths hold, and write the page about it.

Run from the root of the repository: python docs/scripts/ranks_of_the_arena.py
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from null_worlds import Rate, rate
from numpy.typing import NDArray

from workbench.comparisons import bradley_terry, rank_intervals

PLAYERS, SUBJECTS = (5, 12, 20), (20, 100, 400)
RESAMPLES = 200
#: Subjects from which the strengths of the population are computed.
POPULATION = 100_000
LEVEL = 0.95
PROMISES = ("ranks at once", "own ranks", "strengths")

Array = NDArray[np.float64]

TEXT = """# Do the intervals of the arena's ranks and strengths hold?

Written by a script; the same command gives the same page:

    python docs/scripts/ranks_of_the_arena.py --simulations {simulations} --seed {seed} --to {to}

**Question.** `rank_intervals` promises that all its intervals of ranks by mean score hold at once with
probability 0.95, and `bradley_terry` that each interval of a strength does. Games on the same truth depend on
each other, and scores are not normal. Do the promises hold, and how much do the intervals say?

**Design.** Scores of players on subjects are drawn {simulations} times in each of {n_worlds} worlds;
strengths have {resamples} resamples.

{worlds}

The true rank of a player is one more than the number of players with a better true mean. True strengths are
those of {population:,} subjects.

**Answer.** {answer}

{table}

In brackets the 95% interval of the rate over simulations; bold where it lies below 0.95, as chance alone lets
about {chance:.0f} of the {n_rates} rates. "All ranks": every interval has the true rank. "Own rank": the
share of players whose own interval, `own_low` to `own_high`, has it. "Strength": the share of players whose
interval has the true strength. "Ranks left": how many ranks an interval has on average, of those that hold at
once.

## No leader among equals

{null}
"""


@dataclass(frozen=True, eq=False)
class World:
    """One way to draw scores; smaller ones are better.

    Attributes
    ----------
    name, text : str
    draw : callable
        Returns scores (n_subjects, n_players).
    means : callable
        Returns the true means of a number of players, up to a constant.
    """

    name: str
    text: str
    draw: Callable[[np.random.Generator, int, int], Array]
    means: Callable[[int], Array]


def leads(n_players: int) -> Array:
    """Return true means, a few of them equal, that spread over one standard deviation."""
    return np.round(np.linspace(0, 1, n_players) * 8) / 8


def normal(rng: np.random.Generator, n_subjects: int, n_players: int) -> Array:
    """Draw scores around a level of the subject; players differ in spread."""
    own = rng.normal(size=(n_subjects, n_players)) * np.linspace(0.5, 1.5, n_players)
    return own + 2 * rng.normal(size=(n_subjects, 1))


def skewed(rng: np.random.Generator, n_subjects: int, n_players: int) -> Array:
    """Draw scores that a long-tailed difficulty of the subject raises, unequally for the players."""
    difficulty = rng.gamma(1.0, size=(n_subjects, 1)) - 1
    cost = 1 + 0.5 * np.cos(np.arange(n_players) * 2.4)
    return difficulty * cost + 0.5 * rng.normal(size=(n_subjects, n_players))


WORLDS = (
    World(
        "equal",
        "normal scores with a level of the subject, twice as spread as an average player around it; the "
        "noisiest player is three times as noisy as the quietest; all means equal",
        normal,
        lambda n: np.zeros(n),
    ),
    World(
        "spread",
        "the same with means from 0 to 1 in steps of 1/8, so that among many players some are equal",
        lambda rng, n, p: normal(rng, n, p) + leads(p),
        leads,
    ),
    World(
        "skewed",
        "the means of *spread*, but the subject has a difficulty with an exponential distribution, which "
        "costs one player up to three times as much as another, so that differences are skewed",
        lambda rng, n, p: skewed(rng, n, p) + leads(p),
        leads,
    ),
)


@dataclass(frozen=True)
class Measured:
    """What was measured in one world, with one number of players and of subjects."""

    world: World
    n_players: int
    n_subjects: int
    joint: Rate
    own: Rate
    strength: Rate
    width: float
    silent: Rate


def simulate(world: World, n_players: int, n_subjects: int, simulations: int, seed: int) -> dict[str, Array]:
    """Return for each simulation whether, or for which share of players, intervals held."""
    means = world.means(n_players)
    true = 1 + (means[:, None] > means[None]).sum(axis=1)
    strength = population_strengths(world, n_players, seed)
    rng = np.random.default_rng([seed, n_players, n_subjects])
    rows = []
    for _ in range(simulations):
        scores = world.draw(rng, n_subjects, n_players)
        ranks = rank_intervals(scores, level=LEVEL)
        found = bradley_terry(scores, level=LEVEL, n_resamples=RESAMPLES)
        rows.append(
            {
                "joint": ((ranks.low <= true) & (true <= ranks.high)).all(),
                "own": ((ranks.own_low <= true) & (true <= ranks.own_high)).mean(),
                "strength": ((found.low <= strength) & (strength <= found.high)).mean(),
                "width": (ranks.high - ranks.low + 1).mean(),
                "silent": ((ranks.low == 1) & (ranks.high == n_players)).all(),
            }
        )
    return {name: np.array([row[name] for row in rows], dtype=np.float64) for name in rows[0]}


@cache
def population_strengths(world: World, n_players: int, seed: int) -> Array:
    """Return the strengths that very many subjects give."""
    scores = world.draw(np.random.default_rng([seed, n_players]), POPULATION, n_players)
    return bradley_terry(scores, n_resamples=2).strength


def measure(simulations: int, seed: int) -> list[Measured]:
    """Simulate every world with every number of players and subjects."""
    found = []
    for world, n_players, n_subjects in product(WORLDS, PLAYERS, SUBJECTS):
        own = simulate(world, n_players, n_subjects, simulations, seed)
        rates = {name: rate(own[name]) for name in ("joint", "own", "strength", "silent")}
        found.append(Measured(world, n_players, n_subjects, width=float(own["width"].mean()), **rates))
    return found


def page(found: list[Measured], simulations: int, seed: int, to: Path) -> str:
    """Return the page."""
    return TEXT.format(
        simulations=simulations,
        seed=seed,
        to=to.as_posix(),
        n_worlds=len(WORLDS),
        resamples=RESAMPLES,
        population=POPULATION,
        worlds="\n".join(f"* *{world.name}*: {world.text}." for world in WORLDS),
        answer=answer(found),
        table=_table(
            ["world", "players", "subjects", "all ranks", "own rank", "strength", "ranks left"],
            [_row(one) for one in found],
        ),
        n_rates=len(PROMISES) * len(found),
        chance=(1 - LEVEL) / 2 * len(PROMISES) * len(found),
        null=_table(
            ["players", "subjects", "every interval has all ranks"],
            [
                [str(one.n_players), str(one.n_subjects), _cell(one.silent)]
                for one in found
                if one.world.name == "equal"
            ],
        ),
    )


def answer(found: list[Measured]) -> str:
    """Say where the promises hold."""
    sentences = []
    for world in WORLDS:
        own = [one for one in found if one.world is world]
        parts = (
            _range("all ranks at once in", [one.joint for one in own]),
            _range("own ranks in", [one.own for one in own]),
            _range("strengths in", [one.strength for one in own]),
        )
        below = [
            f"{what} with {one.n_players} players on {one.n_subjects} subjects"
            for one in own
            for what, part in (
                ("ranks at once", one.joint),
                ("own ranks", one.own),
                ("strengths", one.strength),
            )
            if part.high < LEVEL
        ]
        sentences.append(
            f"*{world.name}*: {', '.join(parts)}; clearly below 0.95: {', '.join(below) or 'nowhere'}."
        )
    return "\n\n".join(["Shares of intervals that hold, least to greatest.", *sentences])


def main() -> None:
    """Simulate everything and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, default=Path("docs/reference/arena_ranks.md"))
    chosen = parser.parse_args()
    if chosen.simulations < 2:
        parser.error("--simulations must be at least 2, or there is no spread to report")
    found = measure(chosen.simulations, chosen.seed)
    chosen.to.write_text(page(found, chosen.simulations, chosen.seed, chosen.to), encoding="utf-8")


def _range(what: str, rates: list[Rate]) -> str:
    values = [one.value for one in rates]
    return f"{what} {min(values):.3f} to {max(values):.3f}"


def _row(one: Measured) -> list[str]:
    return [
        one.world.name,
        str(one.n_players),
        str(one.n_subjects),
        _cell(one.joint),
        _cell(one.own),
        _cell(one.strength),
        f"{one.width:.1f}",
    ]


def _cell(found: Rate) -> str:
    return f"**{found}**" if found.high < LEVEL else str(found)


def _table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *rows])


if __name__ == "__main__":
    main()
