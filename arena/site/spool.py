"""The files of a site while it is made: on disk, so that a large one needs little memory."""

import tempfile
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from types import MappingProxyType, TracebackType


class Spool(MutableMapping[str, bytes]):
    """Contents by path, in the order in which they came; gone when it is closed.

    Names on disk are numbers, so that no path leads anywhere.
    """

    def __init__(self, begun: Mapping[str, bytes] = MappingProxyType({})) -> None:
        """Begin with some files."""
        self._folder = tempfile.TemporaryDirectory(prefix="arena-site-")
        self._places: dict[str, Path] = {}
        self._made = 0
        self.update(begun)

    def __enter__(self) -> "Spool":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    def __getitem__(self, path: str) -> bytes:
        return self._places[path].read_bytes()

    def __contains__(self, path: object) -> bool:
        return path in self._places

    def __setitem__(self, path: str, content: bytes) -> None:
        place = self._places.get(path)
        if place is None:
            place = Path(self._folder.name) / str(self._made)
            self._made += 1
        place.write_bytes(content)
        self._places[path] = place

    def __delitem__(self, path: str) -> None:
        self._places.pop(path).unlink()

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
