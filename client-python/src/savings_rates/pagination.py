"""Iteration over all pages of a list."""

from __future__ import annotations

import uuid
from collections import deque
from dataclasses import dataclass
from typing import Any, AsyncIterator, Awaitable, Callable, Generic, Iterator, Literal, Sequence, TypeVar

from ._answer import Answer
from ._base_error import SavingsRatesError
from ._call import Operation
from ._settings import CallOptions

RowT = TypeVar("RowT")

#: Reason an iteration stopped: all rows were read, ``max_rows`` was reached, or the next row would exceed ``max_credits``, the balance, or the spend cap of
#: the key or the account.
Stop = Literal["done", "rows", "ceiling", "credits", "spend-cap"]

#: Default and maximum rows per page. Large pages mean fewer requests; the price per row is the same.
MAX_PAGE_SIZE = 50

_STOPS: dict[str | None, Stop] = {"spend_cap": "spend-cap", "max_credits": "ceiling"}


@dataclass(frozen=True, kw_only=True)
class PageOptions:
    """Options of an iteration."""

    #: Maximum credits for the whole iteration.
    max_credits: int | None = None
    #: Maximum number of rows for the whole iteration.
    max_rows: int | None = None
    #: Cursor of an earlier iteration to continue from.
    cursor: str | None = None
    #: ``idempotency_key`` of that iteration. Prevents a second charge for a page that was requested but not received.
    idempotency_key: str | None = None


@dataclass(frozen=True)
class PageRequest:
    cursor: str | None
    limit: int
    options: CallOptions


def _to_stop(error: SavingsRatesError) -> Stop | None:
    """Converts an error to a stop reason. Returns None if it doesn't concern credits. Unknown reasons count as an insufficient balance."""
    if error.code != "insufficient_credits":
        return None
    return _STOPS.get((error.body or {}).get("reason"), "credits")


class _Pages(Generic[RowT]):
    """Position and costs of an iteration, without input and output."""

    #: Reason the iteration stopped; None if it hasn't.
    stopped: Stop | None
    #: Cursor of the next page, after the rows in ``unread``. None at the start and after the last page.
    cursor: str | None
    #: Credits charged so far.
    credits: int
    #: Rows yielded so far.
    rows: int

    def __init__(self, operation: Operation, page_size: int, options: PageOptions, max_credits: int | None) -> None:
        self.stopped = None
        self.cursor = options.cursor
        self.credits = 0
        self.rows = 0
        self._operation = operation
        self._page_size = min(MAX_PAGE_SIZE, page_size)
        self._max_rows = options.max_rows
        self._max_credits = max_credits
        self._unread: deque[RowT] = deque()
        self._is_at_end = False
        self._open_key = options.idempotency_key

    @property
    def idempotency_key(self) -> str | None:
        """
        Idempotency key of a page that was requested but not received; None if there is none. It is kept until the page arrives, because an attempt may have
        been charged even though the call failed. After ``replay_unavailable`` it is None: the page that was paid for no longer exists, so the next attempt is
        charged. The service remembers a key for ten minutes.
        """
        return self._open_key

    @property
    def unread(self) -> Sequence[RowT]:
        """Rows charged but not yielded yet, after stopping in the middle of a page. They come before ``cursor``."""
        return tuple(self._unread)

    def _take_row(self) -> RowT:
        self.rows += 1
        return self._unread.popleft()

    def _limit(self) -> Stop | None:
        if self._is_at_end:
            return "done"
        if self._max_rows is not None and self.rows >= self._max_rows:
            return "rows"
        if self._max_credits is not None and self.credits + self._operation.credits > self._max_credits:
            return "ceiling"
        return None

    def _next_request(self) -> PageRequest | None:
        """Returns the request of the next page, or None if there is none to read."""
        self.stopped = self._limit()
        if self.stopped is not None:
            return None
        self._open_key = self._open_key or str(uuid.uuid4())
        limit = self._page_size if self._max_rows is None else min(self._page_size, self._max_rows - self.rows)
        left = None if self._max_credits is None else self._max_credits - self.credits
        return PageRequest(self.cursor, limit, CallOptions(max_credits=left, idempotency_key=self._open_key))

    def _take_page(self, answer: Answer[Any, Any]) -> None:
        rows: list[RowT] = answer.data
        price = self._operation.credits * (len(rows) if self._operation.per == "row" else 1)
        # A replay is free, but the original attempt was charged, so its charge is added to the cost of the iteration.
        self.credits += price if answer.is_replay else answer.credits_charged
        self._unread.extend(rows)
        self.cursor = answer.meta["nextCursor"]
        self._is_at_end = self.cursor is None
        self._open_key = None

    def _stop_at(self, error: SavingsRatesError) -> None:
        """Stops at an error that concerns credits, and raises any other."""
        if error.code == "replay_unavailable":
            self._open_key = None
        self.stopped = _to_stop(error)
        if self.stopped is None:
            raise error


class Pagination(_Pages[RowT]):
    """
    Iterates over the rows of all pages of a list. Never charges more than ``max_credits``. Afterwards, ``stopped`` is the reason and ``cursor`` the position.
    After a ``break`` or an error, iterating again resumes where the iteration stopped.
    """

    def __init__(self, read: Callable[[PageRequest], Answer[Any, Any]], operation: Operation, page_size: int, options: PageOptions, max_credits: int | None) -> None:
        super().__init__(operation, page_size, options, max_credits)
        self._read = read

    def __iter__(self) -> Iterator[RowT]:
        while True:
            while self._unread:
                yield self._take_row()
            request = self._next_request()
            if request is None:
                return
            try:
                self._take_page(self._read(request))
            except SavingsRatesError as error:
                self._stop_at(error)
                return


class AsyncPagination(_Pages[RowT]):
    """The same for ``async for``. After a cancellation, process ``unread``, then continue with ``cursor`` and ``idempotency_key``."""

    def __init__(
        self, read: Callable[[PageRequest], Awaitable[Answer[Any, Any]]], operation: Operation, page_size: int, options: PageOptions, max_credits: int | None
    ) -> None:
        super().__init__(operation, page_size, options, max_credits)
        self._read = read

    async def __aiter__(self) -> AsyncIterator[RowT]:
        while True:
            while self._unread:
                yield self._take_row()
            request = self._next_request()
            if request is None:
                return
            try:
                self._take_page(await self._read(request))
            except SavingsRatesError as error:
                self._stop_at(error)
                return
