"""Sets of nodes as bits, and parent sets of a node as bits without the node's own."""

from generators.base.compiled import kernel

__all__ = ["lowest", "size", "spread", "squeeze"]


@kernel
def squeeze(nodes: int, v: int) -> int:
    """Remove the bit of node v. The bits above it move down by one."""
    return ((nodes >> (v + 1)) << v) | (nodes & ((1 << v) - 1))


@kernel
def spread(short: int, v: int) -> int:
    """Insert a 0 bit for node v. The bits from it on move up by one."""
    return ((short >> v) << (v + 1)) | (short & ((1 << v) - 1))


@kernel
def size(members: int) -> int:
    """Count the members."""
    n_members = 0
    while members:
        members &= members - 1
        n_members += 1
    return n_members


@kernel
def lowest(members: int) -> int:
    """Return the first member of a non-empty set."""
    low = 0
    while not members >> low & 1:
        low += 1
    return low
