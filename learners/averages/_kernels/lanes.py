"""Sums over the slots or features of a row, for `LANES` classes together, to be called by kernels.

They are portable: LLVM splits the vectors where a machine's registers are narrower.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from generators.base.compiled import intrinsic
from learners.bayes._kernels.one_dependence import LANES

__all__ = ["add_products", "add_slots", "spread_products", "spread_to_slots"]

INDEX, NUMBERS = ir.IntType(64), ir.VectorType(ir.DoubleType(), LANES)


@intrinsic
def add_slots(
    typing_context: Any, out: Any, at: Any, lane: Any, tables: Any, slots: Any, i: Any
) -> tuple[Any, Any]:
    """Add the tables' rows of a row's slots to a vector, several columns together."""
    # In Python: out[at : at + LANES] += tables[slots[i], lane : lane + LANES].sum(axis=0). `out` and
    # `tables` are contiguous float64, `slots` contiguous uint32, the others uint64; nothing is checked.
    from numba import types

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        total = _lanes(builder, _array(context, builder, signature, args, 0).data, [args[1]])
        begun = builder.load(total, align=8)

        def step(place: Any, carried: Any) -> Any:
            return builder.fadd(carried, builder.load(place, align=8))

        summed = _each_slot(context, builder, signature, args, step, begun)
        builder.store(summed, total, align=8)
        return context.get_dummy_value()

    return types.void(out, types.uint64, types.uint64, tables, slots, types.uint64), generate


@intrinsic
def spread_to_slots(
    typing_context: Any, added: Any, at: Any, lane: Any, tables: Any, slots: Any, i: Any
) -> tuple[Any, Any]:
    """Add a vector to the tables' rows of a row's slots, several columns together."""
    # in Python: np.add.at(tables[:, lane : lane + LANES], slots[i], added[at : at + LANES])
    from numba import types

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        place = _lanes(builder, _array(context, builder, signature, args, 0).data, [args[1]])
        added = builder.load(place, align=8)

        def step(place: Any, carried: Any) -> Any:
            builder.store(builder.fadd(builder.load(place, align=8), added), place, align=8)
            return carried

        _each_slot(context, builder, signature, args, step, added)
        return context.get_dummy_value()

    return types.void(added, types.uint64, types.uint64, tables, slots, types.uint64), generate


@intrinsic
def add_products(
    typing_context: Any, out: Any, lane: Any, factors: Any, rows: Any, first: Any, last: Any
) -> tuple[Any, Any]:
    """Add some rows, each times a factor, to a vector, several columns together."""
    # In Python: out[lane : lane + LANES] += factors[first:last] @ rows[first:last, lane : lane + LANES].
    # `rows` is contiguous, of float64 or float32; the places are uint64.
    from numba import types

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        total = _lanes(builder, _array(context, builder, signature, args, 0).data, [args[1]])
        factors = _array(context, builder, signature, args, 2).data

        def step(k: Any, row: Any, carried: Any) -> Any:
            factor = builder.load(builder.gep(factors, [k]))
            return builder.fadd(carried, builder.fmul(_same(builder, factor), row))

        summed = _each_row(context, builder, signature, args, step, builder.load(total, align=8))
        builder.store(summed, total, align=8)
        return context.get_dummy_value()

    return types.void(out, types.uint64, factors, rows, types.uint64, types.uint64), generate


@intrinsic
def spread_products(
    typing_context: Any, factors: Any, lane: Any, out: Any, rows: Any, first: Any, last: Any
) -> tuple[Any, Any]:
    """Add some rows, each times the same vector, to those of a table, several columns together."""
    # in Python, of these columns: out[first:last] += factors * rows[first:last]
    from numba import types

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        arrays = [_array(context, builder, signature, args, k) for k in (0, 2)]
        factors, out = (array.data for array in arrays)
        width = builder.extract_value(arrays[1].shape, 1)
        factor = builder.load(_lanes(builder, factors, [args[1]]), align=8)

        def step(k: Any, row: Any, carried: Any) -> Any:
            place = _lanes(builder, out, [builder.add(builder.mul(k, width), args[1])])
            added = builder.fadd(builder.load(place, align=8), builder.fmul(factor, row))
            builder.store(added, place, align=8)
            return carried

        _each_row(context, builder, signature, args, step, factor)
        return context.get_dummy_value()

    return types.void(factors, types.uint64, out, rows, types.uint64, types.uint64), generate


def _each_row(
    context: Any,
    builder: ir.IRBuilder,
    signature: Any,
    args: Any,
    step: Callable[..., Any],
    begun: Any,
) -> Any:
    """Loop over the lanes of rows with a value carried along, and return the last value."""
    from numba import types

    rows = _array(context, builder, signature, args, 3)
    width = builder.extract_value(rows.shape, 1)
    single = ir.VectorType(ir.FloatType(), LANES)

    def body(k: Any, carried: Any) -> Any:
        at = [builder.add(builder.mul(k, width), args[1])]
        if signature.args[3].dtype == types.float64:
            return step(k, builder.load(_lanes(builder, rows.data, at), align=8), carried)
        place = builder.bitcast(builder.gep(rows.data, at), single.as_pointer())
        return step(k, builder.fpext(builder.load(place, align=4), NUMBERS), carried)

    return _loop(builder, args[4], args[5], body, begun)


def _each_slot(
    context: Any,
    builder: ir.IRBuilder,
    signature: Any,
    args: Any,
    step: Callable[[Any, Any], Any],
    begun: Any,
) -> Any:
    """Loop over the slots of row `i` with a value carried along, and return the last value."""
    tables, slots = (_array(context, builder, signature, args, k) for k in (3, 4))
    width, n_slots = builder.extract_value(tables.shape, 1), builder.extract_value(slots.shape, 1)
    own = builder.gep(slots.data, [builder.mul(args[5], n_slots)])

    def body(j: Any, carried: Any) -> Any:
        slot = builder.zext(builder.load(builder.gep(own, [j])), INDEX)
        at = [builder.add(builder.mul(slot, width), args[2])]
        return step(_lanes(builder, tables.data, at), carried)

    return _loop(builder, ir.Constant(INDEX, 0), n_slots, body, begun)


def _loop(builder: ir.IRBuilder, first: Any, last: Any, body: Callable[[Any, Any], Any], begun: Any) -> Any:
    """Loop from `first` to before `last` with a value carried along, and return the last value."""
    start = builder.block
    head, inside, after = (builder.append_basic_block(name) for name in ("head", "body", "after"))
    builder.branch(head)

    builder.position_at_end(head)
    k, carried = builder.phi(INDEX), builder.phi(NUMBERS)
    builder.cbranch(builder.icmp_unsigned("<", k, last), inside, after)

    builder.position_at_end(inside)
    later = body(k, carried)
    for phi, before, then in ((k, first, builder.add(k, ir.Constant(INDEX, 1))), (carried, begun, later)):
        phi.add_incoming(before, start)
        phi.add_incoming(then, inside)
    builder.branch(head)

    builder.position_at_end(after)
    return carried


def _same(builder: ir.IRBuilder, number: Any) -> Any:
    """Return a vector of the same number."""
    none, place = ir.Constant(NUMBERS, ir.Undefined), ir.IntType(32)
    one = builder.insert_element(none, number, ir.Constant(place, 0))
    return builder.shuffle_vector(one, none, ir.Constant(ir.VectorType(place, LANES), [0] * LANES))


def _array(context: Any, builder: ir.IRBuilder, signature: Any, args: Any, k: int) -> Any:
    return context.make_array(signature.args[k])(context, builder, args[k])


def _lanes(builder: ir.IRBuilder, numbers: Any, at: list[Any]) -> Any:
    return builder.bitcast(builder.gep(numbers, at), NUMBERS.as_pointer())
