"""Records that are made anew whenever they are gone through, so that they are never all held."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Remade(Collection[T], Generic[T]):
    """`make` gives the records, the same each time; `count`: how many there are."""

    def __init__(self, make: Callable[[], Iterable[T]], count: int) -> None:
        self._make, self._count = make, count

    def __len__(self) -> int:
        return self._count

    def __contains__(self, one: object) -> bool:
        return any(one == other for other in self)

    def __iter__(self) -> Iterator[T]:
        return iter(self._make())
