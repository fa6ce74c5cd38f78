"""Compare a study with a paper: every published value, ours, the difference, and a verdict."""

from workbench.reproduction.page.document import write_reproduction
from workbench.reproduction.printed.printed import Printed
from workbench.reproduction.reproduction import Reproduction

__all__ = ["Printed", "Reproduction", "write_reproduction"]
