"""A transport with prepared results, and the requests that it received."""

from __future__ import annotations

import json
from typing import Sequence

from savings_rates.transport import Request, Response, TransportError


def envelope(data: object = None, status: int = 200, cursor: str | None = None, /, **headers: str) -> Response:
    """Builds a response of the API. Names of headers have underscores instead of hyphens."""
    body = {"data": data, "meta": {"requestId": "req_1", "nextCursor": cursor}}
    return Response(status, {name.replace("_", "-"): value for name, value in headers.items()}, json.dumps(body).encode())


def refusal(status: int, code: str, /, **more: object) -> Response:
    body = {"error": code, "message": "No.", "requestId": "req_2", "docs": f"https://example.test/docs/errors/{code}", **more}
    headers = {"retry-after": str(more["retryAfter"])} if "retryAfter" in more else {}
    return Response(status, headers, json.dumps(body).encode())


class FakeTransport:
    def __init__(self, results: Sequence[Response | TransportError]) -> None:
        self.results = list(results)
        self.requests: list[Request] = []
        self.timeouts: list[float] = []

    def send(self, request: Request, timeout: float) -> Response:
        self.requests.append(request)
        self.timeouts.append(timeout)
        result = self.results.pop(0)
        if isinstance(result, TransportError):
            raise result
        return result

    def close(self) -> None:
        pass
