"""The clients: SavingsRates blocks, AsyncSavingsRates is for asyncio."""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import Any, Mapping

from ._answer import Answer
from ._call import Send, Sleep, call_steps
from ._generated.operations import AsyncOperations, Operations
from ._generated.table import OPERATIONS
from ._settings import CallOptions, Settings, check_max_credits, check_whole, read_settings
from .cache import Cache
from .pagination import MAX_PAGE_SIZE, AsyncPagination, PageOptions, PageRequest, Pagination
from .transport import AsyncTransport, HttpTransport, Response, ThreadTransport, Transport, TransportError

MAX_ROWS = 2**53 - 1


def _page_settings(settings: Settings, given: Mapping[str, Any], options: PageOptions | None) -> tuple[int, PageOptions, int | None]:
    own = options or PageOptions()
    if own.max_rows is not None:
        check_whole("max_rows", own.max_rows, 0, MAX_ROWS)
    page_size = check_whole("limit", MAX_PAGE_SIZE if given.get("limit") is None else given["limit"], 1, MAX_ROWS)
    return page_size, own, check_max_credits(settings.max_credits if own.max_credits is None else own.max_credits)


class SavingsRates(Operations):
    """
    Client of the Savings Rates Data API: a method per endpoint, and an ``iter_`` method per paged list. Can be shared between threads. Use it in a ``with``
    statement, or call ``close``, to close its connections.
    """

    def __init__(
        self,
        api_key: str,
        *,
        base_url: str | None = None,
        timeout: float = 10.0,
        deadline: float = 90.0,
        max_retries: int = 2,
        max_credits: int | None = None,
        cache: Cache | None = None,
        transport: Transport | None = None,
        allow_http: bool = False,
    ) -> None:
        """
        Raises ValueError if an option is invalid.

        Args:
            api_key: Test key (``svc_test_…``) or live key (``svc_live_…``).
            base_url: Base URL of the API, including the version.
            timeout: Timeout per attempt, in seconds.
            deadline: Time limit for a call, including retries and pauses, in seconds: enough to wait for the next one-minute window of the rate limit.
            max_retries: Retries after the first attempt.
            max_credits: Maximum credits for a call or an iteration that doesn't set its own limit.
            cache: Keeps responses. While their data has not changed, they are free.
            transport: Replaces the transport of the standard library.
            allow_http: Allows live keys over plain HTTP, for a gateway on a private network. Calls to this machine are always allowed.
        """
        self._settings = read_settings(
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            deadline=deadline,
            max_retries=max_retries,
            max_credits=max_credits,
            cache=cache,
            allow_http=allow_http,
        )
        self._transport = transport or HttpTransport()

    def __enter__(self) -> SavingsRates:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._transport.close()

    def _send(self, action: Send) -> Response | TransportError:
        try:
            return self._transport.send(action.request, action.timeout)
        except TransportError as error:
            return error

    def _call(self, name: str, given: Mapping[str, Any], options: CallOptions | None) -> Answer[Any, Any]:
        steps = call_steps(OPERATIONS[name], given, self._settings, options)
        result: Response | TransportError | None = None
        try:
            while True:
                action = steps.send(result)
                if isinstance(action, Sleep):
                    time.sleep(action.seconds)
                    result = None
                else:
                    result = self._send(action)
        except StopIteration as end:
            answer: Answer[Any, Any] = end.value
            return answer

    def _iterate(self, name: str, given: Mapping[str, Any], options: PageOptions | None) -> Pagination[Any]:
        page_size, own, max_credits = _page_settings(self._settings, given, options)

        def read(request: PageRequest) -> Answer[Any, Any]:
            return self._call(name, {**given, "cursor": request.cursor, "limit": request.limit}, request.options)

        return Pagination(read, OPERATIONS[name], page_size, own, max_credits)


class AsyncSavingsRates(AsyncOperations):
    """
    The same client for asyncio, with the same options. Use it in an ``async with`` statement. By default, it sends requests in threads of the standard
    library's blocking transport.
    """

    def __init__(
        self,
        api_key: str,
        *,
        base_url: str | None = None,
        timeout: float = 10.0,
        deadline: float = 90.0,
        max_retries: int = 2,
        max_credits: int | None = None,
        cache: Cache | None = None,
        transport: AsyncTransport | None = None,
        allow_http: bool = False,
    ) -> None:
        """Raises ValueError if an option is invalid. See SavingsRates for the options."""
        self._settings = read_settings(
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            deadline=deadline,
            max_retries=max_retries,
            max_credits=max_credits,
            cache=cache,
            allow_http=allow_http,
        )
        self._transport = transport or ThreadTransport()

    async def __aenter__(self) -> AsyncSavingsRates:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        await self._transport.close()

    async def _send(self, action: Send) -> Response | TransportError:
        try:
            return await self._transport.send(action.request, action.timeout)
        except TransportError as error:
            return error

    async def _call(self, name: str, given: Mapping[str, Any], options: CallOptions | None) -> Answer[Any, Any]:
        steps = call_steps(OPERATIONS[name], given, self._settings, options)
        result: Response | TransportError | None = None
        try:
            while True:
                action = steps.send(result)
                if isinstance(action, Sleep):
                    await asyncio.sleep(action.seconds)
                    result = None
                else:
                    result = await self._send(action)
        except StopIteration as end:
            answer: Answer[Any, Any] = end.value
            return answer

    def _iterate(self, name: str, given: Mapping[str, Any], options: PageOptions | None) -> AsyncPagination[Any]:
        page_size, own, max_credits = _page_settings(self._settings, given, options)

        async def read(request: PageRequest) -> Answer[Any, Any]:
            return await self._call(name, {**given, "cursor": request.cursor, "limit": request.limit}, request.options)

        return AsyncPagination(read, OPERATIONS[name], page_size, own, max_credits)
