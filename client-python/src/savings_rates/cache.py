"""Cache of responses with their ETags."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class CachedResponse:
    etag: str
    #: Body of the response, as JSON.
    body: bytes


class Cache(Protocol):
    """Stores responses by key. Implement it to keep them in a file or a database. Keys contain no secrets."""

    def get(self, key: str) -> CachedResponse | None: ...

    def set(self, key: str, response: CachedResponse) -> None: ...


class ETagCache:
    """Keeps the most recently used responses in memory. Can be shared between threads and clients."""

    def __init__(self, max_entries: int = 256) -> None:
        if max_entries < 1:
            raise ValueError("max_entries must be 1 or more.")
        self._max_entries = max_entries
        self._entries: OrderedDict[str, CachedResponse] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> CachedResponse | None:
        with self._lock:
            response = self._entries.get(key)
            if response is not None:
                self._entries.move_to_end(key)
            return response

    def set(self, key: str, response: CachedResponse) -> None:
        with self._lock:
            self._entries[key] = response
            self._entries.move_to_end(key)
            while len(self._entries) > self._max_entries:
                self._entries.popitem(last=False)
