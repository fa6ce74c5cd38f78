"""The page of the arena on real tables, as a document."""

import math
from collections.abc import Iterator, Mapping

from workbench.arena.tables.board import LEVEL, TableBoard, TableStanding
from workbench.arena.tables.field import DESIGN, SEED, YARDSTICK, TableFolder
from workbench.arena.tables.picture import picture_of
from workbench.arena.tables.scores import LOSS, TableScores
from workbench.base.text import and_of, count_of
from workbench.profiles.entrants import Entrant
from workbench.profiles.words import duration, place_words, rank_words
from workbench.report.document import Document, Part, Section, Text
from workbench.report.table import Cell, Number, Table

__all__ = ["table_document"]

#: Learners that are named where several may be first; of more, their number.
MOST_NAMES = 6
N_PARTS = DESIGN.repeats * DESIGN.folds
TIMES = {1: "once", 2: "twice"}.get(DESIGN.repeats, f"{DESIGN.repeats} times")
MEANING = (
    "Log loss is the mean number of bits by which forecasts miss the class, on rows that were not learned "
    "from; smaller is better, and 0 cannot be had where classes are uncertain."
)
#: Metrics after the log loss: their heads, digits and forms.
FURTHER = {
    "ir_b": ("IR_B [bits]", 3, "zero"),
    "quadratic_loss": ("Brier score", 3, "fixed"),
    "accuracy": ("accuracy", 1, "percent"),
    "expected_calibration_error": ("calibration error", 3, "fixed"),
}


def table_document(
    board: TableBoard, scores: TableScores, tables: TableFolder, entrants: Mapping[str, Entrant]
) -> Document:
    """Return the page: headline, leaderboard, score against seconds, every table, and how to read it."""
    titles = {key: entrant.title for key, entrant in entrants.items()}
    return Document(
        title="Which learner forecasts the classes of these tables best?",
        subtitle=f"The arena, on {count_of(len(scores.tables), 'table')} of the folder {tables.name}",
        opening="",
        parts=(_headline(board, len(scores.tables), titles),),
        surety="",
        winners=(),
        pictures=(),
        caption="",
        sections=(
            Section("Leaderboard", (_leaderboard(board, len(scores.tables), titles),)),
            Section("Score against seconds", (picture_of(board, titles),)),
            Section("Every table", (_every_table(board, scores, titles),)),
            Section("How to read it", tuple(map(Text, _reading(len(scores.tables), tables)))),
            Section("Enter a learner", tuple(_entering())),
            Section("Learners and versions", (_learners(entrants), _versions(scores))),
        ),
        footer=scores.runs,
        meaning=MEANING,
        failures=tuple(_failures(board, scores, tables, titles)),
    )


def _headline(board: TableBoard, n_tables: int, titles: Mapping[str, str]) -> str:
    """Say who leads, by how much, and whether that is more than chance."""
    first, second = board.standings[:2]
    where = f"{n_tables} tables" if n_tables > 1 else "the one table"
    mean = "mean log loss" if n_tables > 1 else "log loss"
    said = (
        f"{titles[first.learner]} leads {len(board.standings)} learners on {where}, with a {mean} of "
        f"{first.loss:.3f} bits. Next is {titles[second.learner]} with {second.loss:.3f}: the lead is "
        f"{second.loss - first.loss:.3f} bits{_interval(second)}. "
    )
    if n_tables > 1:
        said += f"{_surety(board, titles)} {_sensitivity(board, n_tables, titles)}"
    else:
        said += _surety_of_one(board)
    return said[:1].upper() + said[1:]


def _interval(one: TableStanding) -> str:
    if math.isnan(one.place.low):
        return ""
    ends = (f"{end:z.3f}".replace("-", "\u2212") for end in (one.place.low, one.place.high))
    return f", with a {LEVEL:.0%} interval from {' to '.join(ends)}"


def _surety(board: TableBoard, titles: Mapping[str, str]) -> str:
    n, place = len(board.standings), board.standings[0].place
    if board.is_sure:
        return "That is more than chance: it is found better than every other learner."
    if all((one.place.first, one.place.last) == (1, n) for one in board.standings):
        return f"That may be chance: none of the {n} learners is found better than another."
    if len(board.leaders) == 1:
        return f"That may be chance: it may be {place_words(place.first, place.last, n)} learners."
    if len(board.leaders) > MOST_NAMES:
        return f"That may be chance: any of {len(board.leaders)} learners may be 1st."
    return f"That may be chance: each of {and_of([titles[key] for key in board.leaders])} may be 1st."


def _sensitivity(board: TableBoard, n_tables: int, titles: Mapping[str, str]) -> str:
    """Say on how many tables the leader is first, and whether one table makes it so."""
    name = titles[board.standings[0].learner]
    said = f"{name[:1].upper()}{name[1:]} has the smallest log loss on {board.n_first} of {n_tables} tables"
    if n_tables < 3:
        return f"{said}."
    if not board.without:
        return f"{said}, and leads whichever one is left out."
    turned = [f"{titles[key]} without {name}" for name, key in board.without.items()]
    if len(turned) > MOST_NAMES:
        return f"{said}; leaving out any one of {len(turned)} of them makes another lead."
    return f"{said}; another would lead with one table less: {and_of(turned)}."


def _surety_of_one(board: TableBoard) -> str:
    chance = "That is more than chance on this table" if board.is_sure else "That may be chance"
    return f"{chance}. One table gives no ranks over tables, and says nothing of others."


def _leaderboard(board: TableBoard, n_tables: int, titles: Mapping[str, str]) -> Table:
    """Return the leaderboard: class frequencies in their place, and who is not ranked at the end."""
    has_ranks = n_tables > 1
    columns = (
        "learner", *(("rank", "mean rank") if has_ranks else ()), "log loss [bits]",
        "behind the leader [bits]",
        *(head for head, *_ in FURTHER.values()), "time of a fit", "time of 1,000 forecasts", "failed fits",
    )  # fmt: skip
    ordered = sorted((*board.standings, board.yardstick), key=lambda one: one.loss)
    rows = [(titles[one.learner], *_numbers(one, has_ranks)) for one in ordered]
    rows += [(titles[key], *[Number(math.nan)] * (len(columns) - 1)) for key in board.left_out]
    over = "tables" if has_ranks else "the halves of the table, corrected for rows that they share"
    note = (
        f"In brackets, {LEVEL:.0%} intervals over {over}, each for itself. Class frequencies are a "
        "yardstick, which is not ranked. "
    )
    if has_ranks:
        note += f"Ranks are by mean log loss; all ranges of ranks hold at once with probability {LEVEL:g}. "
    return Table("Means over tables" if has_ranks else "On the one table", columns, tuple(rows), note.strip())


def _numbers(one: TableStanding, has_ranks: bool) -> Iterator[Cell]:
    place = one.place
    if has_ranks:
        is_ranked = place.first > 0
        order = place.first + place.last / 1000 if is_ranked else math.nan
        yield Number(order, words=rank_words(place.first, place.last))
        yield Number(place.mean_rank, 1)
    yield Number(one.loss, 3)
    yield Number(place.behind, 3, low=place.low, high=place.high, form="zero")
    for metric, (_, digits, form) in FURTHER.items():
        yield Number(one.scores[metric], digits, form=form)  # type: ignore[arg-type]
    for seconds in (one.fit, one.forecast):
        yield Number(seconds, words=duration(seconds if math.isfinite(seconds) else None))
    yield Number(one.n_failed)


def _every_table(board: TableBoard, scores: TableScores, titles: Mapping[str, str]) -> Table:
    """Return the log loss of every learner on every table, the best in bold."""
    own = [scores.at(one.learner) for one in (*board.standings, board.yardstick)]
    means = scores.values[LOSS].mean(axis=2)
    rows: list[tuple[Cell, ...]] = []
    for j, (name, known) in enumerate(scores.tables.items()):
        best = round(float(means[own, j].min()), 3)
        cells = [
            Number(one, 3, mark="*" if scores.failed[i, j].any() else "", strong=round(one, 3) == best)
            for i, one in zip(own, means[own, j].tolist(), strict=True)
        ]
        sizes = (known.n_rows, known.n_attributes, known.n_classes)
        rows.append((name, *map(Number, sizes), *cells))
    heads = ("table", "rows", "columns", "classes", *(titles[scores.learners[i]] for i in own))
    note = "In bold the smallest, to the digits that are shown; columns are without the class."
    if scores.failed[own].any():
        note += " * The class frequencies stand in for fits that failed."
    return Table("Log loss [bits]", heads, tuple(rows), note)


def _failures(
    board: TableBoard, scores: TableScores, tables: TableFolder, titles: Mapping[str, str]
) -> Iterator[str]:
    """Say which tables and learners are left out, and who failed how often."""
    yield from tables.left_out
    for name in scores.lacking:
        yield f"{name} is left out: the class frequencies have no scores there ({scores.reasons[YARDSTICK]})."
    for key, why in board.left_out.items():
        yield f"{titles[key]} is not ranked: {why}."
    for one in board.standings:
        if one.n_failed:
            n = scores.failed[0].size
            yield (
                f"{titles[one.learner]} failed in {one.n_failed} of {n} fits, where class frequencies stand "
                f"in: {scores.reasons[one.learner]}."
            )


def _reading(n_tables: int, tables: TableFolder) -> Iterator[str]:
    yield (
        f"The design. Each table is halved {TIMES}, with the classes in equal "
        f"parts (stratified, seed {SEED}); learners learn from each half and are tested on the other, so "
        f"that each has {N_PARTS} fits a table, all on the same rows. Scores are of half of the rows: with "
        "all of them, learners that need many may stand better. Forecasts are kept away from 0 and 1 as in "
        "Hope and Korb (2002). Scores of a table are means over its halves, and every table counts the same."
    )
    yield from tables.doubts
    if n_tables > 1:
        yield (
            "Ranks. A learner's best rank is one more than the number of learners that are found better, its "
            "worst the number of all less those found worse: by paired t tests over tables, in both "
            "directions of all pairs, with Holm's procedure. The mean rank is over tables, the least loss "
            "1st."
        )
    yield (
        "The leader. It was chosen by the same scores, so that others seem a little farther behind than "
        "they are; whether the lead is more than chance is judged over all pairs of learners."
    )
    yield (
        "What the intervals assume. The tables count as if drawn independently from those that you care "
        "about. Related ones, such as versions of one data set or several of one source, make intervals too "
        "narrow and ranges of ranks too short: leave all but one out. A folder says nothing of other kinds "
        "of tables."
    )
    yield (
        "Other scores. IR_B is the information reward of Hope and Korb, in bits above the class frequencies; "
        "the Brier score is the squared error over all classes; the calibration error is the mean distance "
        "of confidence from accuracy. Higher is better for IR_B and accuracy, lower for the others."
    )
    yield (
        "Failures and time. Where a fit fails or takes too long, the class frequencies stand in for its "
        "forecasts; a learner that failed in more than half of its fits is not ranked. Times are medians "
        "over tables on one machine. Those of 1,000 forecasts are in proportion to the test rows, so that on "
        "small tables they are mostly the cost of a call."
    )


def _entering() -> Iterator[Part]:
    yield Text(
        "Any classifier with the interface of scikit-learn can enter, by its class, by a key that `workbench "
        "list learners` shows, or with title and parameters in a file. What is computed is kept, so that "
        "only the fits of the new learner are computed."
    )
    yield Text(
        "workbench arena --data FOLDER --add mypackage:MyLearner\n"
        "workbench arena --data FOLDER --learners nb,bn_ensemble,random_forest\n"
        "workbench arena --data FOLDER --entrants mine.toml",
        verbatim=True,
    )
    yield Text('[entrants.mine]\nlearner = "mypackage:MyLearner"\nparameters = { depth = 3 }', verbatim=True)


def _learners(entrants: Mapping[str, Entrant]) -> Table:
    rows = tuple(
        (entrant.title, entrant.key, entrant.family, _settings(entrant)) for entrant in entrants.values()
    )
    note = "Learners have their defaults unless their settings say otherwise."
    return Table("Learners", ("learner", "key", "family", "settings"), rows, note)


def _settings(entrant: Entrant) -> str:
    given = ", ".join(f"{name} = {value!r}" for name, value in (entrant.parameters or {}).items())
    tuned = "tuned inside the training rows" if entrant.tuned else ""
    return "; ".join(filter(None, (given, entrant.note, tuned))) or "defaults"


def _versions(scores: TableScores) -> Table:
    rows = tuple(scores.provenance.items())
    return Table("Program and machine of the last run", ("what", "value"), rows)
