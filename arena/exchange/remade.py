"""Records that are made anew whenever they are gone through, so that they are never all held."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from arena.errors import ConfigError
from arena.exchange.result_files import ResultFile

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


def read_again(
    read: Callable[[list[ResultFile]], Iterable[T]], before: Sequence[ResultFile]
) -> Iterator[T]:
    """What files hold, read once more; `read` adds the digests of what it has read to a list.

    Raises ConfigError where a file is not what it was `before`.
    """
    now: list[ResultFile] = []
    yield from read(now)
    was = {file.name: file.sha256 for file in before}
    for file in now:
        if was.get(file.name) != file.sha256:
            raise ConfigError("{path}: changed while it was read", path=file.name)
