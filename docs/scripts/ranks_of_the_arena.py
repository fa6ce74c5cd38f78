"""Measure how often the intervals of ranks and strengths hold, and write the page about it.

Run from the root of the repository: python docs/scripts/ranks_of_the_arena.py
"""

import os
import textwrap
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
from workbench.base.names import learner_name
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
#: Rates of intervals of all ranks, of own ranks and of strengths.
N_RATES = 3
WIDTH = 110  # of lines of the page

Array = NDArray[np.float64]

TEXT = """# Coverage of the arena's intervals of ranks and strengths

A script writes this page. The same command reproduces it:

    python docs/scripts/ranks_of_the_arena.py --simulations {simulations} --seed {seed} --to {to}

**Question.** Do the arena's intervals have their nominal coverage? `rank_intervals` promises joint coverage
of 0.95 for all ranks by mean score, `bradley_terry` for each strength. But games on the same truth are
dependent, and scores are not normal.

**Design.** Scores of players on subjects are drawn {simulations} times in each of {n_worlds} scenarios.
Strengths have {resamples} resamples. The true rank of a player is one more than the number of players with a
better true mean. True strengths are those of {population:,} subjects. The arena also ranks {seeds} random
forests that differ only in their seeds, and intervals of profiles are simulated from reference results.

**Answer.** {answer}

## Coverage in simulations

{worlds}

{table}

Brackets contain the 95% interval of the rate. Bold intervals are below 0.95, about {chance:.0f} of {n_rates}
by chance. *All ranks*: every interval contains the true rank. *Own rank*: share of players whose own interval
(`own_low` to `own_high`) contains it. *Strength*: share of players whose interval contains the true strength.
*Ranks per interval*: mean number of ranks in a simultaneous interval.

## Equal learners in the arena

If all means are equal, *all ranks* is also the rate at which no order is found. In the arena, scikit-learn's
random forest of 100 trees took part {seeds} times with different seeds. The part of the suite is
{forest_part}.

{forests}

## Intervals of profiles

A profile promises joint coverage of 0.95 for all its intervals of the map, and for all effects of parameters.
Losses are skewed, and truths few. For each of {n_learners} learners, losses are drawn {simulations} times.
Each place has the mean and spread of the {n_truths} truths of the reference results. Deviations are drawn
from those of all places of the kind or parameter, for all sizes together.

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
        "normal scores around a level of the subject, with twice the spread of an average player. The "
        "noisiest player has three times the noise of the quietest. All means are equal",
        normal,
        lambda n: np.zeros(n),
    ),
    World(
        "spread",
        "as *equal*, with means from 0 to 1 in steps of 1/8, so that some of many players are equal",
        lambda rng, n, p: normal(rng, n, p) + leads(p),
        leads,
    ),
    World(
        "skewed",
        "the means of *spread*. A subject's difficulty is exponentially distributed and costs one player up "
        "to three times as much as another, so differences are skewed",
        lambda rng, n, p: skewed(rng, n, p) + leads(p),
        leads,
    ),
    World(
        "arena",
        f"{PLACES} fixed places, on each of which every player has a fixed effect. A place has {TRUTHS[0]} "
        f"to {TRUTHS[-1]} truths with the difficulty of *skewed*, whose spread depends on the place. Losses "
        f"halve from each of {SIZES} training sizes to the next. Every third player lacks the last truths. "
        "Ranks use the truths that all players have, strengths those that two players have",
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


def profiles(simulations: int, seed: int) -> tuple[str, str, int, int]:
    """Return a table of the joint coverage of profiles, its range, the number of learners, and of truths."""
    reference = read_reference()
    keys = [key for key in reference.learners if key not in CEILINGS and reference.parts[key].largest > 1500]
    n_truths = min(reference.parts[key].n_truths for key in keys)
    scores = reference.scores.only(n_truths=n_truths)
    rows, joint = [], []
    for n_drawn in (4, n_truths):
        for name, families in (("map", _map_families(scores)), ("parameters", _knob_families(scores))):
            rng = np.random.default_rng([seed, n_drawn])
            held = [
                [_all_hold(families, scores.at(key), n_drawn, rng) for _ in range(simulations)]
                for key in keys
            ]
            least = keys[int(np.argmin([np.mean(own) for own in held]))]
            joint.append(rate(np.ravel(held).astype(np.float64)))
            lowest = f"{min(map(np.mean, held)):.3f} ({learner_name(least)})"
            rows.append([name, n_drawn, f"{joint[-1].value:.3f}", lowest])
    head = ["intervals", "truths of a place", "joint coverage", "lowest, of one learner"]
    return table(head, rows), _range(joint), len(keys), n_truths


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
    """Report whether the arena found an order among equals."""
    whole, silent = boards[0], [one for one in boards if one.has_no_order]
    ranks = (
        f"every forest is ranked 1st to {SEEDS}th" if whole.has_no_order else "some forests differ in rank"
    )
    strengths = [one.strength for one in whole.standings]
    covered = sum(one.weakest <= 0 <= one.strongest for one in whole.standings)
    text = (
        f"Over all {whole.n_truths} pairs of place and truth {ranks}. Mean regrets are "
        f"{whole.standings[0].regret:.4f} to {whole.standings[-1].regret:.4f} bits. Strengths are "
        f"{min(strengths):.3f} to {max(strengths):.3f}, and {covered} of {SEEDS} of their intervals contain "
        f"0. Of {len(boards)} views by kind, difficulty, width and size, {len(silent)} find no order "
        f"({len(silent) / len(boards):.1%}, nominally 95% each)."
    )
    return textwrap.fill(text, WIDTH)


def page(found: list[Measured], boards: list[Board], simulations: int, seed: int, to: Path) -> str:
    """Return the page."""
    of_profiles, covered, n_learners, n_truths = profiles(simulations, seed)
    return TEXT.format(
        simulations=simulations,
        seed=seed,
        to=to.as_posix(),
        n_worlds=len(WORLDS),
        resamples=RESAMPLES,
        population=POPULATION,
        worlds="\n".join(
            textwrap.fill(f"* *{world.name}*: {world.text}.", WIDTH, subsequent_indent="  ")
            for world in WORLDS
        ),
        answer=answer(found, boards, covered),
        table=table(
            ["scenario", "players", "subjects", "all ranks", "own rank", "strength", "ranks per interval"],
            [_row(one) for one in found],
        ),
        n_rates=N_RATES * len(found),
        chance=(1 - LEVEL) / 2 * N_RATES * len(found),
        seeds=SEEDS,
        forest_part=f"the map of {FORESTS.words}",
        forests=forests_in_words(boards),
        profiles=of_profiles,
        n_learners=n_learners,
        n_truths=n_truths,
    )


def answer(found: list[Measured], boards: list[Board], of_profiles: str) -> str:
    """Report the coverage of all kinds of intervals."""
    rates = {name: [getattr(one, name) for one in found] for name in ("joint", "own", "strength")}
    below = sum(one.high < LEVEL for own in rates.values() for one in own)
    silent = sum(one.has_no_order for one in boards) / len(boards)
    text = (
        f"All intervals of ranks cover jointly in {_range(rates['joint'])}, own intervals of ranks in "
        f"{_range(rates['own'])}, and intervals of strengths in {_range(rates['strength'])}. Of "
        f"{sum(map(len, rates.values()))} rates, {below} are significantly below 0.95. Of the arena's views "
        f"of equal forests, {silent:.1%} find no order. Intervals of profiles cover jointly in {of_profiles}."
    )
    return textwrap.fill(f"**Answer.** {text}", WIDTH).removeprefix("**Answer.** ")


def main() -> None:
    """Simulate everything and write the page."""
    parser = options(__doc__, 250, "arena_ranks.md")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    found = measure(chosen.simulations, chosen.seed)
    boards = forests(chosen.jobs)
    chosen.to.write_text(page(found, boards, chosen.simulations, chosen.seed, chosen.to), encoding="utf-8")


def _range(rates: list[Rate]) -> str:
    values = [one.value for one in rates]
    return f"{min(values):.3f} to {max(values):.3f}"


def _row(one: Measured) -> list[str]:
    rates = [_cell(rate) for rate in (one.joint, one.own, one.strength)]
    return [one.world.name, str(one.n_players), str(one.n_subjects), *rates, f"{one.width:.1f}"]


def _cell(found: Rate) -> str:
    return f"**{found}**" if found.high < LEVEL else str(found)


if __name__ == "__main__":
    main()
