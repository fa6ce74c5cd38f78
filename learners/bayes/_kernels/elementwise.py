"""Exponentials and logarithms of `LANES` numbers together, to be called by kernels.

The standard library's take one number at a time. Errors are a unit of the last place or two. LLVM
splits the vectors where a machine's registers are narrower.
"""

from typing import Any

from llvmlite import ir

from generators.base.compiled import intrinsic
from learners.bayes._kernels.one_dependence import LANES

__all__ = ["exponentiate_lanes", "take_logs_of_lanes"]

NUMBERS, BITS = ir.VectorType(ir.DoubleType(), LANES), ir.VectorType(ir.IntType(64), LANES)
LOG2_E, LN2 = 1.4426950408889634, 0.6931471805599453
#: ln 2 in two parts, the first with few digits, so that whole multiples of it are exact.
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
#: Adding it rounds to a whole number, which the last bits then hold.
SHIFT = 1.5 * 2.0**52
#: The exponential of less is 0.
LEAST = -708.0
#: Bits of 1, of the root of 1/2, of all mantissas, and of 2**52.
ONE, HALF_ROOT, MANTISSA, WHOLE = 0x3FF0 << 48, 0x3FE6A09E667F3BCD, (1 << 52) - 1, 0x4330 << 48
#: 1 / n! from n = 13 down to 0: for at most ln 2 / 2 the next term is below rounding.
EXPONENTIAL = [1 / 6227020800, 1 / 479001600, 1 / 39916800, 1 / 3628800, 1 / 362880, 1 / 40320, 1 / 5040,
               1 / 720, 1 / 120, 1 / 24, 1 / 6, 0.5, 1.0, 1.0]  # fmt: skip
#: log((1 + s) / (1 - s)) = 2 s (1 + s^2 / 3 + s^4 / 5 + ...)
LOGARITHM = [2 / 21, 2 / 19, 2 / 17, 2 / 15, 2 / 13, 2 / 11, 2 / 9, 2 / 7, 2 / 5, 2 / 3]


@intrinsic
def exponentiate_lanes(typing_context: Any, x: Any, at: Any) -> tuple[Any, Any]:
    """Replace numbers of at most 700 by their exponentials, `LANES` from place `at`."""
    # in Python: x[at : at + LANES] = np.exp(x[at : at + LANES]), `x` contiguous float64, `at` uint64
    from numba import types

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature, args)
        x = builder.load(place, align=8)
        shifted = builder.fadd(builder.fmul(x, _numbers(LOG2_E)), _numbers(SHIFT))
        whole = builder.fsub(shifted, _numbers(SHIFT))
        rest = builder.fsub(x, builder.fmul(whole, _numbers(LN2_HIGH)))
        rest = builder.fsub(rest, builder.fmul(whole, _numbers(LN2_LOW)))
        power = builder.add(builder.shl(builder.bitcast(shifted, BITS), _bits(52)), _bits(ONE))
        out = builder.fmul(_polynomial(builder, rest, EXPONENTIAL), builder.bitcast(power, NUMBERS))
        enough = builder.fcmp_ordered(">=", x, _numbers(LEAST))
        builder.store(builder.select(enough, out, _numbers(0.0)), place, align=8)
        return context.get_dummy_value()

    return types.void(x, types.uint64), generate


@intrinsic
def take_logs_of_lanes(typing_context: Any, x: Any, at: Any) -> tuple[Any, Any]:
    """Replace positive numbers, none of them denormal, by their logarithms, `LANES` from place `at`."""
    from numba import types

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature, args)
        bits = builder.bitcast(builder.load(place, align=8), BITS)
        moved = builder.add(bits, _bits(ONE - HALF_ROOT))
        exponent = builder.bitcast(builder.or_(builder.lshr(moved, _bits(52)), _bits(WHOLE)), NUMBERS)
        exponent = builder.fsub(exponent, _numbers(2.0**52 + 1023.0))
        # from the root of 1/2 to that of 2
        mantissa = builder.add(builder.and_(moved, _bits(MANTISSA)), _bits(HALF_ROOT))
        m = builder.bitcast(mantissa, NUMBERS)
        s = builder.fdiv(builder.fsub(m, _numbers(1.0)), builder.fadd(m, _numbers(1.0)))
        square = builder.fmul(s, s)
        more = builder.fmul(builder.fmul(s, square), _polynomial(builder, square, LOGARITHM))
        of_mantissa = builder.fadd(builder.fadd(s, s), more)
        out = builder.fadd(builder.fmul(exponent, _numbers(LN2)), of_mantissa)
        builder.store(out, place, align=8)
        return context.get_dummy_value()

    return types.void(x, types.uint64), generate


def _place(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
    numbers = context.make_array(signature.args[0])(context, builder, args[0]).data
    return builder.bitcast(builder.gep(numbers, [args[1]]), NUMBERS.as_pointer())


def _polynomial(builder: ir.IRBuilder, x: Any, coefficients: list[float]) -> Any:
    """Evaluate a polynomial, the coefficient of the highest power first."""
    out = _numbers(coefficients[0])
    for coefficient in coefficients[1:]:
        out = builder.fadd(builder.fmul(out, x), _numbers(coefficient))
    return out


def _numbers(value: float) -> Any:
    return ir.Constant(NUMBERS, [value] * LANES)


def _bits(value: int) -> Any:
    return ir.Constant(BITS, [value] * LANES)
