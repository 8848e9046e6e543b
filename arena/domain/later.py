"""Records that grew: a field that was added later, while at its default, is not written down.

So the digest of a record that does not use the field is the one it always had, and no key that is
made of it changes.
"""

from typing import Any, ClassVar

from pydantic import SerializerFunctionWrapHandler, model_serializer

from arena.domain.words import Frozen


class Later(Frozen):
    """A record of a file; `LATER` names the fields that are left out while at their default."""

    LATER: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _leave_out_defaults(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: dict[str, Any] = handler(self)
        unused = {name for name in self.LATER if not self.uses(name)}
        return {name: value for name, value in written.items() if name not in unused}

    def uses(self, *names: str) -> bool:
        """Whether any of some fields is not at its default."""
        fields = type(self).model_fields
        return any(
            getattr(self, name) != fields[name].get_default(call_default_factory=True)
            for name in names
        )
