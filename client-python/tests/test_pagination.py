"""Pagination with prepared pages."""

from __future__ import annotations

import asyncio
import unittest
from typing import Sequence

from savings_rates import AsyncSavingsRates, PageOptions, SavingsRates, SavingsRatesError
from savings_rates.errors import ReplayUnavailableError
from savings_rates.transport import Request, Response, ThreadTransport, TransportError

from .fake_transport import FakeTransport, envelope, refusal


def page(first: int, count: int, cursor: str | None, **headers: str) -> Response:
    rows = [{"sourceKey": str(number)} for number in range(first, first + count)]
    return envelope(rows, 200, cursor, x_svc_credits_charged=str(count), **headers)


def open_client(results: Sequence[Response | TransportError]) -> tuple[SavingsRates, list[Request]]:
    transport = FakeTransport(results)
    return SavingsRates("svc_test_x", base_url="http://localhost/v1", transport=transport, max_retries=0), transport.requests


class Paging(unittest.TestCase):
    def test_reads_every_page_once(self) -> None:
        client, requests = open_client([page(0, 2, "b"), page(2, 1, None)])
        pages = client.iter_rates_list(type="notice", limit=2)
        self.assertEqual([row["sourceKey"] for row in pages], ["0", "1", "2"])
        self.assertEqual((pages.stopped, pages.rows, pages.credits, pages.cursor), ("done", 3, 3, None))
        urls = ["http://localhost/v1/rates?type=notice&limit=2", "http://localhost/v1/rates?type=notice&limit=2&cursor=b"]
        self.assertEqual([request.url for request in requests], urls)
        self.assertEqual(list(pages), [])

    def test_never_exceeds_the_limits(self) -> None:
        client, requests = open_client([page(0, 3, "b"), page(3, 1, "c")])
        pages = client.iter_rates_list(options=PageOptions(max_credits=4))
        self.assertEqual((len(list(pages)), pages.stopped, pages.credits), (4, "ceiling", 4))
        self.assertEqual([request.headers["X-SVC-Max-Credits"] for request in requests], ["4", "1"])
        client, requests = open_client([page(0, 2, "b")])
        pages = client.iter_rates_list(options=PageOptions(max_rows=2))
        self.assertEqual((len(list(pages)), pages.stopped), (2, "rows"))
        self.assertTrue(requests[0].url.endswith("limit=2"))
        client, requests = open_client([])
        pages = client.iter_rates_list(options=PageOptions(max_credits=0))
        self.assertEqual((list(pages), pages.stopped, requests), ([], "ceiling", []))

    def test_says_which_limit_stopped_it(self) -> None:
        for reason, stop in ((None, "credits"), ("spend_cap", "spend-cap"), ("max_credits", "ceiling"), ("other", "credits")):
            client, _ = open_client([page(0, 1, "b"), refusal(402, "insufficient_credits", **({"reason": reason} if reason else {}))])
            pages = client.iter_rates_list()
            self.assertEqual((len(list(pages)), pages.stopped, pages.cursor), (1, stop, "b"))

    def test_continues_after_a_break_and_after_an_error(self) -> None:
        client, requests = open_client([page(0, 2, "b"), TransportError("Lost."), page(2, 1, None, x_svc_idempotent_replay="true")])
        pages = client.iter_rates_list()
        seen = [next(iter(pages))["sourceKey"]]
        self.assertEqual([row["sourceKey"] for row in pages.unread], ["1"])
        with self.assertRaises(SavingsRatesError):
            seen += [row["sourceKey"] for row in pages]
        self.assertIsNotNone(pages.idempotency_key)
        seen += [row["sourceKey"] for row in pages]
        # The replay is free, but the page that was lost has been charged.
        self.assertEqual((seen[-1], pages.stopped, pages.credits, pages.idempotency_key), ("2", "done", 3, None))
        self.assertEqual(requests[1].headers["Idempotency-Key"], requests[2].headers["Idempotency-Key"])

    def test_replaces_the_key_of_a_page_that_is_no_longer_stored(self) -> None:
        gone = refusal(409, "replay_unavailable")
        gone = Response(gone.status, {"etag": 'W/"paid"'}, gone.body)
        client, requests = open_client([gone, page(0, 1, None)])
        pages = client.iter_rates_list(options=PageOptions(idempotency_key="kept"))
        with self.assertRaises(ReplayUnavailableError) as caught:
            list(pages)
        self.assertEqual((caught.exception.etag, pages.idempotency_key), ('W/"paid"', None))
        self.assertEqual(len(list(pages)), 1)
        self.assertEqual((requests[0].headers["Idempotency-Key"], requests[1].headers["Idempotency-Key"] == "kept"), ("kept", False))

    def test_continues_elsewhere(self) -> None:
        client, requests = open_client([page(5, 1, None)])
        self.assertEqual(len(list(client.iter_rates_list(options=PageOptions(cursor="b", idempotency_key="kept")))), 1)
        self.assertEqual((requests[0].headers["Idempotency-Key"], requests[0].url.endswith("cursor=b")), ("kept", True))

    def test_reads_pages_with_asyncio(self) -> None:
        transport = FakeTransport([page(0, 2, "b"), page(2, 1, None), refusal(400, "invalid_request")])

        async def read() -> tuple[list[str], str | None, str]:
            async with AsyncSavingsRates("svc_test_x", base_url="http://localhost/v1", transport=ThreadTransport(transport)) as client:
                pages = client.iter_rates_list()
                rows = [row["sourceKey"] async for row in pages]
                try:
                    await client.rates_list()
                except SavingsRatesError as error:
                    return rows, pages.stopped, error.code
            raise AssertionError("The call succeeded.")

        self.assertEqual(asyncio.run(read()), (["0", "1", "2"], "done", "invalid_request"))


if __name__ == "__main__":
    unittest.main()
