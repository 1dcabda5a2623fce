"""The thirteen rules for advertisements of Chang, Ratinov & Roth (2012), Table 2."""

from __future__ import annotations

from lawful.rules import change_only_after, segment_length, token, when
from lawful.rules.rule import Per, Price
from lawful.rules.ruleset import Rules

__all__ = ["AD_FIELDS", "AD_WORDS", "ad_rules", "ad_ties"]

AD_FIELDS = (
    "address",
    "available",
    "contact",
    "features",
    "neighborhood",
    "photos",
    "rent",
    "restrictions",
    "roommates",
    "size",
    "utilities",
)

AD_WORDS = {
    "Address": ("address", ("address", "carlmont", "st", "cross")),
    "Available": ("available", ("immediately", "begin", "cheaper")),
    "Contact": ("contact", ("*phone*", "*email*")),
    "Features": ("features", ("laundry", "kitchen", "parking")),
    "Neighborhood": ("neighborhood", ("close", "near", "shopping")),
    "Photos": ("photos", ("http", "image", "link")),
    "Rent": ("rent", ("$", "*money*")),
    "Restrictions": ("restrictions", ("smoking", "dogs", "cats")),
    "Roommates": ("roommates", ("roommates", "respectful", "drama")),
    "Size": ("size", ("sq", "ft", "bdrm")),
    "Utilities": ("utilities", ("utilities", "pays", "electricity")),
}
"""The words that indicate a field, by the name of the rule: its field, its words."""


def ad_rules(*, price: Price = "learn", per: Per = "violation", newline: str = "*NEWLINE*") -> Rules:
    """FieldLength (one rule per field), Punctuation, and words that indicate fields.

    Telephone numbers, e-mail addresses and sums of money are expected as the tokens `*Phone*`, `*Email*` and `*Money*`.

    Parameters
    ----------
    price : float, "hard" or "learn"
        The price of all rules.
    per : "violation" or "sequence"
        How violations of soft rules are counted.
    newline : str
        The token that stands for the end of a line; case does not matter.

    Examples
    --------
    >>> rules = ad_rules()
    >>> len([name for name in rules.names if not name.startswith("FieldLength")])
    12
    >>> rules["Rent"].violations(["size", "rent"], tokens=["$", "*Money*"])
    1
    """
    rules = {f"FieldLength {field}": segment_length(field, 3, None) for field in AD_FIELDS}
    ends = token.matches(r"[^A-Za-z0-9$*]+") | token.is_in([newline], lower=True)
    structural = Rules(
        *(rule.soft(price, per=per, name=name) for name, rule in rules.items()),
        change_only_after(ends).soft(price, per=per, name="Punctuation"),
    )
    return structural + [
        when(token.is_in(words, lower=True)).then(field).soft(price, per=per, name=name)
        for name, (field, words) in AD_WORDS.items()
    ]


def ad_ties() -> list[list[str]]:
    """The rules that share a price: FieldLength is one rule in the paper, but one per field here.

    Examples
    --------
    >>> ad_ties()[0][0]
    'FieldLength address'
    """
    return [[f"FieldLength {field}" for field in AD_FIELDS]]
