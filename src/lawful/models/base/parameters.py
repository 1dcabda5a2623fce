"""scikit-learn's conventions for parameters, without scikit-learn."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import Any, Self

from lawful.errors import InputError

__all__ = ["Parameters"]


class Parameters:
    """`get_params`, `set_params` and a printed form for a class whose `__init__` only stores its arguments.

    `__init__` keeps each argument, untouched, under its own name; checks come later, in `fit`. What was learned is
    kept in attributes whose names end with `_`. That is all that `sklearn.base.clone`, pipelines and grid searches need.
    A parameter with the name of a property, such as `labels`, is kept with `given_` before its name.

    Examples
    --------
    >>> class Model(Parameters):
    ...     def __init__(self, *, alpha=1.0, rounds=5):
    ...         self.alpha, self.rounds = alpha, rounds
    >>> model = Model(rounds=3)
    >>> model, model.get_params()
    (Model(rounds=3), {'alpha': 1.0, 'rounds': 3})
    >>> model.set_params(alpha=0.5)
    Model(alpha=0.5, rounds=3)
    """

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        """The parameters by name, with their defaults."""
        named = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
        parameters = list(signature(cls.__init__).parameters.values())[1:]
        return {parameter.name: parameter.default for parameter in parameters if parameter.kind in named}

    @classmethod
    def _attribute(cls, name: str) -> str:
        """The attribute that holds a parameter. A property tells what was learned, so it cannot hold the parameter too."""
        return f"given_{name}" if isinstance(getattr(cls, name, None), property) else name

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002  # scikit-learn's signature
        """The parameters by name; with `deep`, also those of models inside, as `base__alpha`."""
        parameters: dict[str, Any] = {}
        for name in self._defaults():
            value = parameters[name] = getattr(self, self._attribute(name))
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                inside = value.get_params()
                parameters |= {f"{name}__{inner}": inside[inner] for inner in inside}
        return parameters

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters by name; `base__alpha` is the parameter `alpha` of the model `base` inside."""
        known = self._defaults()
        inside: dict[str, dict[str, Any]] = {}
        for name, value in parameters.items():
            outer, _, inner = name.partition("__")
            if outer not in known:
                raise InputError(
                    f"{type(self).__name__} has no parameter {outer!r}; it has {', '.join(known) or 'none'}"
                )
            if inner:
                inside.setdefault(outer, {})[inner] = value
            else:
                setattr(self, self._attribute(outer), value)
        for outer, values in inside.items():
            getattr(self, outer).set_params(**values)
        return self

    def unfitted(self) -> Self:
        """A new object with the same parameters and nothing learned; models inside are unfitted too."""
        own = self.get_params(deep=False)
        return type(self)(
            **{
                name: value.unfitted() if isinstance(value, Parameters) else value
                for name, value in own.items()
            }
        )

    def __repr__(self) -> str:
        changed = []
        for name, default in self._defaults().items():
            value = getattr(self, self._attribute(name))
            if value is not default and repr(value) != repr(default):
                changed.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        """Tags for scikit-learn, which is the only caller."""
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=True),
            input_tags=InputTags(two_d_array=False),
        )
