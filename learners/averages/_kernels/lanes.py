"""Sums over the slots of a row, for several classes at once; for kernels only.

They are portable: LLVM splits the vectors where a machine's registers are narrower.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from learners.bayes._kernels.one_dependence import LANES
from learners.compiled import intrinsic

__all__ = ["add_slots", "spread_to_slots"]

VECTOR, INDEX = ir.VectorType(ir.DoubleType(), LANES), ir.IntType(64)


@intrinsic
def add_slots(typing_context: Any, out: Any, lane: Any, tables: Any, slots: Any, i: Any) -> tuple[Any, Any]:
    """Add the tables' rows of a row's slots to a vector, `LANES` columns at once."""
    # In Python: out[lane : lane + LANES] += tables[slots[i], lane : lane + LANES].sum(axis=0). `out` and
    # `tables` are contiguous float64, `slots` contiguous uint32, `lane` and `i` uint64; nothing is checked.
    from numba import types

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        total = _lanes(builder, _array(context, builder, signature, args, 0).data, [args[1]])
        begun = builder.load(total, align=8)

        def step(place: Any, carried: Any) -> Any:
            return builder.fadd(carried, builder.load(place, align=8))

        summed = _each_slot(context, builder, signature, args, step, begun)
        builder.store(summed, total, align=8)
        return context.get_dummy_value()

    return types.void(out, types.uint64, tables, slots, types.uint64), generate


@intrinsic
def spread_to_slots(
    typing_context: Any, out: Any, lane: Any, tables: Any, slots: Any, i: Any
) -> tuple[Any, Any]:
    """Add a vector to the tables' rows of a row's slots, `LANES` columns at once."""
    # in Python: np.add.at(tables[:, lane : lane + LANES], slots[i], out[lane : lane + LANES])
    from numba import types

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        added = builder.load(
            _lanes(builder, _array(context, builder, signature, args, 0).data, [args[1]]), align=8
        )

        def step(place: Any, carried: Any) -> Any:
            builder.store(builder.fadd(builder.load(place, align=8), added), place, align=8)
            return carried

        _each_slot(context, builder, signature, args, step, added)
        return context.get_dummy_value()

    return types.void(out, types.uint64, tables, slots, types.uint64), generate


def _each_slot(
    context: Any,
    builder: ir.IRBuilder,
    signature: Any,
    args: Any,
    step: Callable[[Any, Any], Any],
    begun: Any,
) -> Any:
    """Loop over the slots of row `i` with a value that is carried from each to the next; return the last."""
    tables, slots = (_array(context, builder, signature, args, k) for k in (2, 3))
    width, n_slots = builder.extract_value(tables.shape, 1), builder.extract_value(slots.shape, 1)
    own = builder.gep(slots.data, [builder.mul(args[4], n_slots)])
    start = builder.block
    head, body, after = (builder.append_basic_block(name) for name in ("head", "body", "after"))
    builder.branch(head)

    builder.position_at_end(head)
    j, carried = builder.phi(INDEX), builder.phi(VECTOR)
    builder.cbranch(builder.icmp_unsigned("<", j, n_slots), body, after)

    builder.position_at_end(body)
    slot = builder.zext(builder.load(builder.gep(own, [j])), INDEX)
    place = _lanes(builder, tables.data, [builder.add(builder.mul(slot, width), args[1])])
    for phi, before, later in (
        (j, ir.Constant(INDEX, 0), builder.add(j, ir.Constant(INDEX, 1))),
        (carried, begun, step(place, carried)),
    ):
        phi.add_incoming(before, start)
        phi.add_incoming(later, body)
    builder.branch(head)

    builder.position_at_end(after)
    return carried


def _array(context: Any, builder: ir.IRBuilder, signature: Any, args: Any, k: int) -> Any:
    return context.make_array(signature.args[k])(context, builder, args[k])


def _lanes(builder: ir.IRBuilder, numbers: Any, at: list[Any]) -> Any:
    return builder.bitcast(builder.gep(numbers, at), VECTOR.as_pointer())
