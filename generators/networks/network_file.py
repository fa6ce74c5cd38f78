"""Reading and writing of networks, in the format of the file's ending."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from generators.files.bif import bif_arguments, to_bif
from generators.files.hugin import net_arguments, to_net
from generators.files.xmlbif import to_xmlbif, xmlbif_arguments
from generators.networks.network import Network

__all__ = ["ENDINGS", "read_network", "write_network"]

_XMLBIF = (xmlbif_arguments, to_xmlbif)
_FORMATS: dict[str, tuple[Callable[[Path], dict[str, Any]], Callable[[Network], str]]] = {
    ".bif": (bif_arguments, to_bif),
    ".net": (net_arguments, to_net),
    ".xml": _XMLBIF,
    ".xmlbif": _XMLBIF,
    ".bifxml": _XMLBIF,
}
_OTHERS = {".dne": "Netica", ".dnet": "Netica", ".xdsl": "GeNIe", ".dsl": "GeNIe", ".dsc": "MSBNx"}
ENDINGS = (*_FORMATS, *_OTHERS)  # by which a file is known as one of a network


def read_network(path: str | os.PathLike[str], class_name: str | None = None) -> Network:
    """Read a network from a BIF (.bif), XMLBIF (.xml, .xmlbif, .bifxml) or Hugin (.net) file.

    Parameters
    ----------
    path : str or path
        File in UTF-8 (XML in any encoding that it declares). In files of other programs, all states are read
        as strings. Rows that sum to one within 1e-3, because they were written with few digits, are divided
        by their sum.
    class_name : str, optional
        Name of the class. By default the variable with the property `role = class`, if there is one.

    Returns
    -------
    Network

    Raises
    ------
    ValueError
        If the file name extension is unknown, the text is not in the format of the extension, the network is
        invalid, or the variable `class_name` is unknown.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> coin = Network(("coin",), (("(0, 5]", 1),), ((),), ([0.25, 0.75],))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_network(coin, f"{folder}/coin.net")
    ...     read_network(f"{folder}/coin.net") == coin
    True
    """
    network = Network(**_format_of(path)[0](Path(path)))
    return network if class_name is None else network.with_class(class_name)


def write_network(network: Network, path: str | os.PathLike[str]) -> None:
    """Write a network to a file from which `read_network` restores all names, states and numbers.

    Names and states are written as labels of letters, digits and underscores, which all programs read, such
    as `le_2_45` for "(-inf, 2.45]". Comments at the beginning contain the exact names.

    Parameters
    ----------
    network : Network
    path : str or path
        File to write. Its extension specifies the format, as for `read_network`.

    Raises
    ------
    ValueError
        If `network` is not a Network, the file name extension is unknown, or a state is not a string, bool,
        int, float or pandas Interval of numbers.

    Examples
    --------
    >>> import tempfile
    >>> from generators import random_tan
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_network(random_tan(random_state=1), f"{folder}/truth.xml")
    """
    if not isinstance(network, Network):
        raise ValueError(
            f"a {type(network).__name__} is given: expected a Network, because these files cannot represent "
            "other models. Use `.network` of a result of learn_network, or `.truth` of an altered truth"
        )
    Path(path).write_text(_format_of(path)[1](network), encoding="utf-8")


def _format_of(path: str | os.PathLike[str]) -> Any:
    ending = Path(path).suffix.lower()
    if ending in _OTHERS:
        raise ValueError(
            f"{os.fspath(path)!r} is a network of {_OTHERS[ending]}, which is neither read nor written: open "
            "it in GeNIe, and save it as Hugin's .net"
        )
    if ending not in _FORMATS:
        raise ValueError(
            f"{os.fspath(path)!r} has the ending {ending!r}: expected one of {', '.join(_FORMATS)} "
            "(for JSON use from_json)"
        )
    return _FORMATS[ending]
