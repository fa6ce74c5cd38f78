"""The commands, one file each: a function with typer's options, and the helpers that only it uses."""
