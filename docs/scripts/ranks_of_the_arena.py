"""Measure how often the intervals of ranks and strengths hold, and write the page about it.

Run from the root of the repository: python docs/scripts/ranks_of_the_arena.py
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from null_worlds import Rate, options, rate
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier

from generators.suites.places import MAP
from workbench.arena.leaderboard import Board, board, views
from workbench.comparisons import bradley_terry, rank_intervals
from workbench.engine.progress import for_stderr
from workbench.engine.runner import run_study
from workbench.profiles.intervals import stratified_means
from workbench.profiles.kinds import ALL, kinds_of, places_of
from workbench.profiles.knobs import levels_of
from workbench.profiles.measure import gathered
from workbench.profiles.part import SuitePart
from workbench.profiles.reference import read_reference
from workbench.profiles.scores import CEILINGS, LOSS, SuiteScores, joined
from workbench.report.notes import table
from workbench.study.learner_spec import read_learners

PLAYERS, SUBJECTS = (5, 12, 20), (20, 100, 400)
#: The arena: places of the map, truths of each, sizes; the share of players that lack the last truths.
PLACES, TRUTHS, SIZES, SLOW = 54, (2, 4, 8), 3, 3
#: The same forest so many times, with other random numbers, on a part of the suite.
SEEDS, FORESTS = 12, SuitePart(3, 50)
RESAMPLES = 200
#: Subjects from which the strengths of the population are computed.
POPULATION = 100_000
LEVEL = 0.95
#: Bits that rounding may take from a mean.
TOLERANCE = 1e-9
PROMISES = ("ranks at once", "own ranks", "strengths")

Array = NDArray[np.float64]

TEXT = """# Do the intervals of the arena's ranks and strengths hold?

Written by a script; the same command gives the same page:

    python docs/scripts/ranks_of_the_arena.py --simulations {simulations} --seed {seed} --to {to}

**Question.** `rank_intervals` promises that all its intervals of ranks by mean score hold at once with
probability 0.95, and `bradley_terry` that each interval of a strength does. Games on the same truth depend on
each other, and scores are not normal. Do the promises hold, and how much do the intervals say?

**Design.** Scores of players on subjects are drawn {simulations} times in each of {n_worlds} worlds;
strengths have {resamples} resamples. Then the arena itself ranks {seeds} random forests that differ only in
their seeds.

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

Where all means are equal, every interval has all ranks as often as "all ranks" of *equal* says. And in the
arena: scikit-learn's random forest of 100 trees entered {seeds} times, with other random numbers,
on {forest_part}.

{forests}

## The intervals of profiles

A profile promises that all its intervals of the map hold at once with probability 0.95, and all effects of
knobs. Losses are skewed, and truths few. Here losses are drawn {simulations} times for each of {n_learners}
learners: each place has the mean and the spread of the {n_truths} truths of the reference results, around
which deviations are drawn from those of all places of the kind or knob, for all sizes together.

{profiles}
"""


@dataclass(frozen=True, eq=False)
class World:
    """One way to draw scores; smaller ones are better."""

    name: str
    text: str
    draw: Callable[[np.random.Generator, int, int], Array]  # returns scores (n_subjects, n_players)
    means: Callable[[int], Array]  # of a number of players, true ones up to a constant
    subjects: tuple[int, ...] = SUBJECTS
    n_strata: int = 1  # of the subjects, in turn

    def strata(self, n_subjects: int) -> NDArray[np.intp]:
        """Return the stratum of each subject."""
        return np.arange(n_subjects) % self.n_strata


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


def arena(rng: np.random.Generator, n_subjects: int, n_players: int) -> Array:
    """Draw losses at places and sizes, on which players have fixed effects; the slow lack the last truths."""
    place = np.arange(n_subjects) % PLACES
    effects = np.random.default_rng(PLACES).normal(scale=0.5, size=(PLACES, n_players))
    spread = np.exp(np.random.default_rng(n_players).normal(scale=0.5, size=(PLACES, 1)))
    own = skewed(rng, n_subjects, n_players) * spread[place] + (effects - effects.mean(axis=0))[place]
    level = 2.0 ** -np.arange(SIZES)
    scores = (own[:, :, None] + 0.3 * rng.normal(size=(*own.shape, SIZES))) * level
    late = np.arange(n_subjects) >= PLACES * max(2, n_subjects // PLACES * 3 // 4)
    scores[np.ix_(late, np.arange(n_players) % SLOW == SLOW - 1)] = np.nan
    return scores


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
    World(
        "arena",
        f"as in the arena: {PLACES} places that stay the same, on each of which a player has an effect of "
        f"its own; {TRUTHS[0]} to {TRUTHS[-1]} truths of each, with the difficulty of *skewed*, whose spread "
        f"depends on the place; {SIZES} training sizes, at each of which losses are half of those before; "
        "every third player has no scores of the last truths, so that ranks are of the truths that all have "
        "and strengths of those that two have",
        lambda rng, n, p: arena(rng, n, p) + leads(p)[:, None] * 2.0 ** -np.arange(SIZES),
        leads,
        tuple(PLACES * n for n in TRUTHS),
        PLACES,
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


def simulate(world: World, n_players: int, n_subjects: int, simulations: int, seed: int) -> dict[str, Array]:
    """Return for each simulation whether, or for which share of players, intervals held."""
    means = world.means(n_players)
    true = 1 + (means[:, None] > means[None]).sum(axis=1)
    strength = population_strengths(world, n_players, seed)
    rng = np.random.default_rng([seed, n_players, n_subjects])
    strata = world.strata(n_subjects)
    rows = []
    for _ in range(simulations):
        scores = world.draw(rng, n_subjects, n_players)
        common = ~np.isnan(scores.reshape(n_subjects, -1)).any(axis=1)
        ranks = rank_intervals(scores[common], direction="lower", strata=strata[common], level=LEVEL)
        found = bradley_terry(scores, direction="lower", strata=strata, level=LEVEL, n_resamples=RESAMPLES)
        rows.append(
            {
                "joint": ((ranks.low <= true) & (true <= ranks.high)).all(),
                "own": ((ranks.own_low <= true) & (true <= ranks.own_high)).mean(),
                "strength": ((found.low <= strength) & (strength <= found.high)).mean(),
                "width": (ranks.high - ranks.low + 1).mean(),
            }
        )
    return {name: np.array([row[name] for row in rows], dtype=np.float64) for name in rows[0]}


@cache
def population_strengths(world: World, n_players: int, seed: int) -> Array:
    """Return the strengths that very many subjects give."""
    scores = world.draw(np.random.default_rng([seed, n_players]), POPULATION, n_players)
    return bradley_terry(scores, direction="lower", strata=world.strata(POPULATION), n_resamples=2).strength


def measure(simulations: int, seed: int) -> list[Measured]:
    """Simulate every world with every number of players and subjects."""
    found = []
    for world in WORLDS:
        for n_players, n_subjects in product(PLAYERS, world.subjects):
            own = simulate(world, n_players, n_subjects, simulations, seed)
            rates = {name: rate(own[name]) for name in ("joint", "own", "strength")}
            found.append(Measured(world, n_players, n_subjects, width=float(own["width"].mean()), **rates))
    return found


def profiles(simulations: int, seed: int) -> tuple[str, int, int]:
    """Return a table of how often all intervals of a profile hold, the number of learners, and of truths."""
    reference = read_reference()
    keys = [key for key in reference.learners if key not in CEILINGS and reference.parts[key].largest > 1500]
    n_truths = min(reference.parts[key].n_truths for key in keys)
    scores = reference.scores.only(n_truths=n_truths)
    rows = []
    for n_drawn in (4, n_truths):
        for name, families in (("map", _map_families(scores)), ("knobs", _knob_families(scores))):
            rng = np.random.default_rng([seed, n_drawn])
            held = [
                [_all_hold(families, scores.at(key), n_drawn, rng) for _ in range(simulations)]
                for key in keys
            ]
            least = keys[int(np.argmin([np.mean(own) for own in held]))]
            whole = rate(np.ravel(held).astype(np.float64))
            rows.append([name, n_drawn, f"{whole.value:.3f}", f"{min(map(np.mean, held)):.3f} ({least})"])
    head = ["intervals", "truths of a place", "all hold", "least, of one learner"]
    return table(head, rows), len(keys), n_truths


def _map_families(scores: SuiteScores) -> list[Array]:
    """Return the regrets (learners, places, truths, sizes) behind each row of the map."""
    return [scores.regret[:, places_of(scores, kind)] for kind in (ALL, *kinds_of(scores))]


def _knob_families(scores: SuiteScores) -> list[Array]:
    """Return the effects (learners, places, truths, sizes) of each knob."""
    loss = scores.values[LOSS].astype(np.float64)
    ends = ((own[0][1], own[-1][1]) for own in levels_of(scores).values())
    return [loss[:, last] - loss[:, first] for first, last in ends]


def _all_hold(families: list[Array], learner: int, n_drawn: int, rng: np.random.Generator) -> bool:
    """Draw truths, and say whether all intervals have the means of all truths."""
    n_intervals = sum(int(np.isfinite(own[learner]).all(axis=(0, 1)).sum()) for own in families)
    for values in families:
        own = values[learner][:, :, np.isfinite(values[learner]).all(axis=(0, 1))]
        n_places, _, n_sizes = own.shape
        mean, spread = own.mean(axis=1, keepdims=True), own.std(axis=1, keepdims=True, ddof=1)
        apart = np.divide(own - mean, spread, out=np.zeros_like(own), where=spread > 0).reshape(-1, n_sizes)
        drawn = mean + spread * apart[rng.integers(len(apart), size=(n_places, n_drawn))]
        found = stratified_means(drawn.transpose(2, 0, 1), n_intervals=n_intervals)
        true = mean.mean(axis=(0, 1))
        if not ((found.low <= true + TOLERANCE) & (true <= found.high + TOLERANCE)).all():
            return False
    return True


def forests(jobs: int) -> list[Board]:
    """Return the boards of forests that differ only in their random numbers."""
    os.environ["PYTHONWARNINGS"] = "ignore"  # of workers: classes that 20 rows do not show
    specs = read_learners({f"forest_{k}": RandomForestClassifier(random_state=k) for k in range(SEEDS)})
    places = [place.key for place in FORESTS.content.places if place.part == MAP]
    study = FORESTS.study(specs, places)
    own = gathered(run_study(study, n_jobs=jobs, progress=for_stderr()), FORESTS).scores
    reference = read_reference().scores.only(
        learners=["truth", "optimal"], places=own.places, sizes=own.sizes, n_truths=FORESTS.n_truths
    )
    scores = joined(reference, own)
    return [found for view in views(scores) if (found := board(scores, view)) is not None]


def forests_in_words(boards: list[Board]) -> str:
    """Say whether the arena found an order among equals."""
    whole, silent = boards[0], [one for one in boards if one.has_no_order]
    ranks = f"every one 1st to {SEEDS}th" if whole.has_no_order else "some found better than others"
    strengths = [one.strength for one in whole.standings]
    covered = sum(one.weakest <= 0 <= one.strongest for one in whole.standings)
    return (
        f"Over all of it ({whole.n_truths} pairs of place and truth): {ranks}; mean regrets from "
        f"{whole.standings[0].regret:.4f} to {whole.standings[-1].regret:.4f} bits, strengths from "
        f"{min(strengths):.3f} to {max(strengths):.3f}, and "
        f"{covered} of {SEEDS} intervals of strengths hold 0.\n"
        f"Of {len(boards)} views by kind, difficulty, width and size, {len(silent)} find no order "
        f"({len(silent) / len(boards):.1%}; 95% is promised for each)."
    )


def page(found: list[Measured], boards: list[Board], simulations: int, seed: int, to: Path) -> str:
    """Return the page."""
    of_profiles, n_learners, n_truths = profiles(simulations, seed)
    return TEXT.format(
        simulations=simulations,
        seed=seed,
        to=to.as_posix(),
        n_worlds=len(WORLDS),
        resamples=RESAMPLES,
        population=POPULATION,
        worlds="\n".join(f"* *{world.name}*: {world.text}." for world in WORLDS),
        answer=answer(found),
        table=table(
            ["world", "players", "subjects", "all ranks", "own rank", "strength", "ranks left"],
            [_row(one) for one in found],
        ),
        n_rates=len(PROMISES) * len(found),
        chance=(1 - LEVEL) / 2 * len(PROMISES) * len(found),
        seeds=SEEDS,
        forest_part=f"the map of {FORESTS.words}",
        forests=forests_in_words(boards),
        profiles=of_profiles,
        n_learners=n_learners,
        n_truths=n_truths,
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
    parser = options(__doc__, 250, "arena_ranks.md")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    found = measure(chosen.simulations, chosen.seed)
    boards = forests(chosen.jobs)
    chosen.to.write_text(page(found, boards, chosen.simulations, chosen.seed, chosen.to), encoding="utf-8")


def _range(what: str, rates: list[Rate]) -> str:
    values = [one.value for one in rates]
    return f"{what} {min(values):.3f} to {max(values):.3f}"


def _row(one: Measured) -> list[str]:
    rates = [_cell(rate) for rate in (one.joint, one.own, one.strength)]
    return [one.world.name, str(one.n_players), str(one.n_subjects), *rates, f"{one.width:.1f}"]


def _cell(found: Rate) -> str:
    return f"**{found}**" if found.high < LEVEL else str(found)


if __name__ == "__main__":
    main()
