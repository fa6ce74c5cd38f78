"""`workbench doctor`: what a report of a problem needs to know about the installation."""

import typer

from workbench.cli.options import say

__all__ = ["doctor"]


def doctor() -> None:
    """Print versions, cores, memory, compiled code and data folders, and what is wrong with them.

    Paste the output into a report of a problem. The exit code is 1 if something is wrong.
    """
    from workbench.cli.installation import facts_of_installation

    facts = list(facts_of_installation())
    width = max(len(fact.name) for fact in facts)
    for fact in facts:
        typer.echo(f"{fact.name:{width}}  {fact.value}")
    problems = [fact.problem for fact in facts if fact.problem]
    for problem in problems:
        say(f"problem: {problem}")
    if problems:
        raise typer.Exit(1)
