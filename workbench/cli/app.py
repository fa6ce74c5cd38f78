"""The commands of the command line. Nothing slow is imported before a command needs it."""

import typer

from workbench.cli.commands.arena import arena
from workbench.cli.commands.best import best
from workbench.cli.commands.bias import bias
from workbench.cli.commands.compare import compare
from workbench.cli.commands.correlations import correlations
from workbench.cli.commands.crossovers import crossovers
from workbench.cli.commands.doctor import doctor
from workbench.cli.commands.explore import explore
from workbench.cli.commands.export import export
from workbench.cli.commands.generate import generate
from workbench.cli.commands.list import list_
from workbench.cli.commands.profile import profile
from workbench.cli.commands.regret import regret
from workbench.cli.commands.report import report
from workbench.cli.commands.reproduce import reproduce
from workbench.cli.commands.run import run
from workbench.cli.commands.sample_size import sample_size
from workbench.cli.commands.score import score
from workbench.cli.commands.status import status
from workbench.cli.commands.warm import warm
from workbench.cli.options import one_sentence

__all__ = ["ANALYSES", "COMMANDS", "app", "main"]

#: In the order of `workbench --help`. A new command is one file in `commands/` and one line here.
COMMANDS = (
    run, status, list_, export, report, explore, compare, score, reproduce, generate, profile, arena, warm,
    doctor,
)  # fmt: skip
#: Those of `workbench analyze`, each of which reads a store.
ANALYSES = (best, crossovers, sample_size, regret, bias, correlations)

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Compare probabilistic classifiers on random networks with known probabilities and on data sets.",
)
analyze = typer.Typer(
    no_args_is_help=True,
    help="Analyze a store: best learners, crossovers, sample sizes, regret, bias and variance, correlations.",
)
for command in COMMANDS:
    app.command(command.__name__.rstrip("_"))(one_sentence(command))
for command in ANALYSES:
    analyze.command(command.__name__.replace("_", "-"))(one_sentence(command))
app.add_typer(analyze, name="analyze")


def main() -> None:
    """Run the command line. Bad input prints one sentence to stderr and exits with code 2."""
    app()


if __name__ == "__main__":
    main()
