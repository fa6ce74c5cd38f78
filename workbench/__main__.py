"""``python -m workbench`` is the command line."""

from workbench.cli.app import main

if __name__ == "__main__":
    main()
