"""Legal moves as sequences that can be counted, indexed and searched without being listed."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import overload

from pi_app.engine.events import Event


class Lazy(Sequence[Event], ABC):
    """Moves that are built when somebody looks at them."""

    @abstractmethod
    def at(self, index: int) -> Event:
        """The move at an index from 0 to the length less one."""

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        wanted = range(len(self))[index]
        return self.at(wanted) if isinstance(wanted, int) else [self.at(i) for i in wanted]
