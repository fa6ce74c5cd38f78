"""A product of table rows in vector registers, which numba's own loops leave to one number at a time."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LANES = 4  # table rows are read this many numbers at a time


@intrinsic
def add_product(
    typing_context: Any, table: Any, first: Any, cells: Any, total: Any, lane: Any
) -> tuple[Any, Any]:
    """Add to `total` the product of table rows, `LANES` columns at once; for kernels only.

    In Python: ``total[lane : lane + LANES] += np.prod([table[at : at + LANES] for at in first + lane +
    cells], axis=0)``, the factors taken in order. `table` and `total` are contiguous float64, `cells`
    and the numbers `first` and `lane` uint64; nothing is checked.

    It is portable: LLVM splits the vectors where a machine's registers are narrower.
    """
    signature = types.void(table, types.uint64, cells, total, types.uint64)

    def generate(context: Any, builder: ir.IRBuilder, _: Any, args: Any) -> Any:
        vector, index = ir.VectorType(ir.DoubleType(), LANES), ir.IntType(64)
        arrays = [
            context.make_array(t)(context, builder, args[k]) for t, k in ((table, 0), (cells, 2), (total, 3))
        ]
        numbers, steps, sums = (array.data for array in arrays)
        n_cells = builder.extract_value(arrays[1].shape, 0)
        origin = builder.gep(numbers, [builder.add(args[1], args[4])])
        start = builder.block
        head, body, after = (builder.append_basic_block(name) for name in ("head", "body", "after"))
        builder.branch(head)

        builder.position_at_end(head)
        j, product = builder.phi(index), builder.phi(vector)
        builder.cbranch(builder.icmp_unsigned("<", j, n_cells), body, after)

        builder.position_at_end(body)
        at = builder.gep(origin, [builder.load(builder.gep(steps, [j]))])
        factor = builder.load(builder.bitcast(at, vector.as_pointer()), align=8)
        for phi, before, later in (
            (j, ir.Constant(index, 0), builder.add(j, ir.Constant(index, 1))),
            (product, ir.Constant(vector, [1.0] * LANES), builder.fmul(product, factor)),
        ):
            phi.add_incoming(before, start)
            phi.add_incoming(later, body)
        builder.branch(head)

        builder.position_at_end(after)
        place = builder.bitcast(builder.gep(sums, [args[4]]), vector.as_pointer())
        builder.store(builder.fadd(builder.load(place, align=8), product), place, align=8)
        return context.get_dummy_value()

    return signature, generate
