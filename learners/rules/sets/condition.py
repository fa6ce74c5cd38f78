"""A test of one attribute, the building block of rules."""

from dataclasses import dataclass

from learners.shown_text import label_text, number_text
from learners.tables.attributes import Schema

__all__ = ["ABOVE", "AT_MOST", "EQUAL", "NOT_EQUAL", "Condition"]

#: What a condition requires: a nominal value, any other value, a number not above, a number above.
EQUAL, NOT_EQUAL, AT_MOST, ABOVE = range(4)
SYMBOLS = ("=", "!=", "<=", ">")


@dataclass(frozen=True)
class Condition:
    """One test of one attribute. It fails where the value is missing, and so does its negation."""

    operator: int  # `EQUAL`, `NOT_EQUAL`, `AT_MOST` or `ABOVE`
    row: int  # of the `codes` for the first two operators, of the `values` for the others
    value: float  # the code of the nominal value, or the threshold

    @property
    def is_numeric(self) -> bool:
        """Whether it tests a number."""
        return self.operator >= AT_MOST

    def text(self, schema: Schema) -> str:
        """Write it with the name of the attribute and the label of the value."""
        places = schema.numeric if self.is_numeric else schema.nominal
        attribute = schema.attributes[places[self.row]]
        value = number_text(self.value) if self.is_numeric else label_text(attribute.states[int(self.value)])
        return f"{label_text(attribute.name)} {SYMBOLS[self.operator]} {value}"
