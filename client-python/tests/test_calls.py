"""Requests, retries and the cache, with prepared responses."""

from __future__ import annotations

import datetime
import json
import pickle
import unittest
from decimal import Decimal
from typing import Any, cast
from unittest import mock

from savings_rates import UNSET, CallOptions, ETagCache, SavingsRates, SavingsRatesError, errors
from savings_rates._call import Operation
from savings_rates._generated.table import OPERATIONS
from savings_rates._retry import pause_before, retry_after
from savings_rates.cache import CachedResponse
from savings_rates.transport import Response, TransportError, TransportTimeout

from .fake_transport import FakeTransport, envelope, refusal

KEY = "svc_test_of_the_tests"


def client(transport: FakeTransport, max_credits: int | None = None, cache: ETagCache | None = None) -> SavingsRates:
    return SavingsRates(KEY, base_url="http://localhost/v1/", transport=transport, max_credits=max_credits, cache=cache)


class Requests(unittest.TestCase):
    def test_converts_parameters(self) -> None:
        transport = FakeTransport([envelope([]), envelope([]), envelope({})])
        api = client(transport, max_credits=5)
        time = datetime.datetime(2026, 11, 21, 10, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
        api.rates_list(type="easy-access", amount=1000.0, min_rate=Decimal("4.50"), new_customers_only=True, updated_since=time, fields=["rate", "provider"])
        api.history_list(from_=datetime.date(2026, 11, 1), options=CallOptions(max_credits=3, idempotency_key="own"))
        api.rates_get("a/b c")
        urls = [request.url for request in transport.requests]
        query = "type=easy-access&amount=1000&minRate=4.50&newCustomersOnly=true&updatedSince=2026-11-21T09%3A30%3A00Z&fields=rate%2Cprovider"
        self.assertEqual(urls, [f"http://localhost/v1/rates?{query}", "http://localhost/v1/history?from=2026-11-01", "http://localhost/v1/rates/a%2Fb%20c"])
        headers = [request.headers for request in transport.requests]
        self.assertEqual([one["Authorization"] for one in headers], [f"Bearer {KEY}"] * 3)
        self.assertEqual([one["X-SVC-Max-Credits"] for one in headers], ["5", "3", "5"])
        self.assertEqual(headers[1]["Idempotency-Key"], "own")
        self.assertEqual(len({one["Idempotency-Key"] for one in headers}), 3)

    def test_rejects_invalid_values_before_a_request(self) -> None:
        transport = FakeTransport([])
        api = client(transport)
        for name in ("", ".", ".."):
            with self.assertRaisesRegex(ValueError, "sourceKey"):
                api.rates_get(name)
        with self.assertRaisesRegex(ValueError, "time zone"):
            api.rates_list(updated_since=datetime.datetime(2026, 11, 21))
        with self.assertRaisesRegex(ValueError, "max_retries"):
            api.service_ping(options=CallOptions(max_retries=11))
        with self.assertRaisesRegex(ValueError, "max_credits"):
            api.rates_list(options=CallOptions(max_credits=-1))
        for wrong in ("", "a b", "key\n"):
            with self.assertRaisesRegex(ValueError, "api_key"):
                SavingsRates(wrong)
        with self.assertRaisesRegex(ValueError, "base_url"):
            SavingsRates(KEY, base_url="ftp://localhost/v1")
        self.assertEqual(transport.requests, [])

    @mock.patch.dict(OPERATIONS, {"thingsUpdate": Operation("PATCH", "/things/{id}", 0, "request")})
    def test_sends_changes_as_json_once(self) -> None:
        transport = FakeTransport([TransportError("Lost."), envelope({}, etag="1"), envelope({})])
        api = cast(Any, client(transport, max_credits=5, cache=ETagCache()))
        given = {"id": "a/b", "types": ["rate.changed"], "minChange": None, "url": UNSET}
        with mock.patch("time.sleep"):
            api._call("thingsUpdate", given, None)
        api._call("thingsUpdate", given, CallOptions(idempotency_key="own"))
        for request in transport.requests:
            self.assertEqual((request.method, request.url), ("PATCH", "http://localhost/v1/things/a%2Fb"))
            self.assertEqual(json.loads(request.body or b""), {"types": ["rate.changed"], "minChange": None})
            self.assertEqual(request.headers["Content-Type"], "application/json")
            self.assertEqual([request.headers.get(name) for name in ("If-None-Match", "X-SVC-Max-Credits")], [None, None])
        first, again, last = [request.headers["Idempotency-Key"] for request in transport.requests]
        self.assertEqual((first == again, last), (True, "own"))

    def test_keeps_the_key_out_of_texts(self) -> None:
        transport = FakeTransport([refusal(404, "not_found")])
        api = client(transport)
        with self.assertRaises(SavingsRatesError) as caught:
            api.rates_get("none")
        for text in (repr(caught.exception), str(vars(caught.exception)), repr(vars(api)["_settings"]), repr(transport.requests)):
            self.assertNotIn(KEY, text)

    def test_sends_live_keys_only_over_https_or_to_this_machine(self) -> None:
        live = "svc_live_of_the_tests"
        for url in ("http://api.example.test/v1", "http://10.0.0.1/v1", "http://localhost.example.test/v1"):
            with self.assertRaisesRegex(ValueError, "https://"):
                SavingsRates(live, base_url=url)
            SavingsRates(KEY, base_url=url)
            SavingsRates(live, base_url=url, allow_http=True)
        for url in ("https://api.example.test/v1", "http://localhost:3000/v1", "http://127.0.0.1/v1", "http://[::1]:3000/v1"):
            SavingsRates(live, base_url=url)


@mock.patch("time.sleep")
class Retries(unittest.TestCase):
    def test_repeats_a_call_with_the_same_idempotency_key(self, sleep: mock.Mock) -> None:
        transport = FakeTransport([TransportError("Lost."), Response(502, {}, b"<h1>"), envelope([], x_svc_idempotent_replay="true")])
        self.assertTrue(client(transport).rates_list().is_replay)
        keys = {request.headers["Idempotency-Key"] for request in transport.requests}
        self.assertEqual((len(transport.requests), len(keys), sleep.call_count), (3, 1, 2))

    def test_waits_as_long_as_the_service_asks(self, sleep: mock.Mock) -> None:
        transport = FakeTransport([refusal(429, "rate_limited", retryAfter=7), envelope([])])
        client(transport).rates_list()
        [(pause,)] = [call.args for call in sleep.call_args_list]
        self.assertTrue(7 <= pause <= 8, pause)

    def test_fails_at_once_if_the_wait_exceeds_the_deadline(self, sleep: mock.Mock) -> None:
        transport = FakeTransport([refusal(429, "rate_limited", retryAfter=60)])
        with self.assertRaises(SavingsRatesError) as caught:
            client(transport).rates_list(options=CallOptions(deadline=30))
        error = caught.exception
        self.assertEqual((error.code, error.retry_after, error.attempts, sleep.call_count), ("rate_limited", 60, 1, 0))
        self.assertEqual(error.idempotency_key, transport.requests[0].headers["Idempotency-Key"])

    def test_does_not_retry_after_the_deadline(self, sleep: mock.Mock) -> None:
        # The pause takes longer than asked for, as on a computer that sleeps.
        now = [0.0]

        def oversleep(seconds: float) -> None:
            now[0] += 700

        sleep.side_effect = oversleep
        transport = FakeTransport([TransportError("Lost."), envelope([])])
        with mock.patch("time.monotonic", side_effect=lambda: now[0]):
            with self.assertRaises(errors.NetworkError):
                client(transport).rates_list()
        self.assertEqual(len(transport.requests), 1)

    def test_does_not_repeat_permanent_errors(self, sleep: mock.Mock) -> None:
        transport = FakeTransport([refusal(402, "insufficient_credits", required=5, balance=4, topUp="https://example.test")])
        with self.assertRaises(SavingsRatesError) as caught:
            client(transport).assets_provider("some")
        error = caught.exception
        self.assertEqual((error.code, error.status, error.request_id, error.attempts), ("insufficient_credits", 402, "req_2", 1))
        self.assertEqual((error.body or {})["required"], 5)
        self.assertIsInstance(error, errors.InsufficientCreditsError)
        sleep.assert_not_called()

    def test_errors_have_classes_and_can_be_pickled(self, sleep: mock.Mock) -> None:
        results: list[tuple[Response | TransportError, type[SavingsRatesError]]] = [
            (refusal(404, "not_found"), errors.NotFoundError),
            (refusal(429, "rate_limited"), errors.RateLimitedError),
            (refusal(418, "code_of_the_future"), SavingsRatesError),
            (TransportError("Lost."), errors.NetworkError),
            (TransportTimeout("Slow."), errors.RequestTimeoutError),
            (Response(200, {}, b"<h1>"), errors.UnexpectedAnswerError),
            (Response(200, {}, b"[" * 100_000), errors.UnexpectedAnswerError),
        ]
        for result, expected in results:
            with self.assertRaises(SavingsRatesError) as caught:
                client(FakeTransport([result])).rates_list(options=CallOptions(max_retries=0))
            copy = pickle.loads(pickle.dumps(caught.exception))
            self.assertEqual([type(caught.exception), type(copy)], [expected, expected])
            self.assertEqual((str(copy), vars(copy)), (str(caught.exception), vars(caught.exception)))

    def test_gives_up_after_the_last_retry(self, sleep: mock.Mock) -> None:
        transport = FakeTransport([TransportTimeout("Slow.")] * 3)
        with self.assertRaises(SavingsRatesError) as caught:
            client(transport).service_ping()
        self.assertEqual((caught.exception.code, caught.exception.attempts, caught.exception.idempotency_key), ("timeout", 3, None))
        self.assertEqual(sleep.call_count, 2)

    def test_reports_responses_that_are_not_from_the_api(self, sleep: mock.Mock) -> None:
        for body in (b"<h1>Hello</h1>", b'{"data":{}}', b"[]"):
            with self.assertRaises(SavingsRatesError) as caught:
                client(FakeTransport([Response(200, {"x-svc-request-id": "req_3"}, body)])).service_ping()
            self.assertEqual((caught.exception.code, caught.exception.request_id), ("unexpected_answer", "req_3"))
        sleep.assert_not_called()


class Pauses(unittest.TestCase):
    def test_reads_retry_after(self) -> None:
        now = datetime.datetime(2026, 11, 22, 9, tzinfo=datetime.timezone.utc).timestamp()
        read = [retry_after({"retry-after": text}, now) for text in ("42", " 0 ", "", "soon", "-1", "Sun, 22 Nov 2026 09:01:30 +999999999999999")]
        self.assertEqual(read, [42, 0, None, None, None, None])
        self.assertEqual(retry_after({"retry-after": "Sun, 22 Nov 2026 09:01:30 GMT"}, now), 90)
        self.assertEqual(retry_after({"retry-after": "Sun, 22 Nov 2026 08:00:00 GMT"}, now), 0)
        self.assertEqual(retry_after({"retry-after": "Sun, 22 Nov 2026 09:01:30 GMT", "date": "Sun, 22 Nov 2026 09:01:00 GMT"}, now), 30)

    def test_grows_with_half_of_it_random(self) -> None:
        error = SavingsRatesError("unexpected_answer", "", status=503)
        shortest = [pause_before(error, attempts, lambda: 0) for attempts in (1, 2, 3, 9)]
        longest = [pause_before(error, attempts, lambda: 1) for attempts in (1, 2, 3, 9)]
        self.assertEqual((shortest, longest), ([0.125, 0.25, 0.5, 4], [0.25, 0.5, 1, 8]))
        self.assertIsNone(pause_before(SavingsRatesError("not_found", "", status=404), 1))


class Caching(unittest.TestCase):
    def test_returns_stored_data_if_nothing_has_changed(self) -> None:
        cache = ETagCache()
        transport = FakeTransport([envelope([1], etag='W/"a"', x_svc_credits_charged="1"), Response(304, {"etag": 'W/"a"', "x-svc-credits-charged": "0"}, b"")])
        api = client(transport, cache=cache)
        first, again = api.reference_currencies(), api.reference_currencies()
        self.assertEqual((first.data, first.is_unchanged, again.data, again.is_unchanged, again.credits_charged), ([1], False, [1], True, 0))
        self.assertEqual([request.headers.get("If-None-Match") for request in transport.requests], [None, 'W/"a"'])

    def test_replaces_changed_data_and_keeps_urls_and_keys_apart(self) -> None:
        cache = ETagCache()
        transport = FakeTransport([envelope([1], etag="1"), envelope([2], etag="2"), envelope([3], etag="3"), envelope([4], etag="4")])
        client(transport, cache=cache).rates_list()
        client(transport, cache=cache).rates_list()
        client(transport, cache=cache).rates_list(limit=5)
        SavingsRates("svc_test_other", base_url="http://localhost/v1", transport=transport, cache=cache).rates_list()
        self.assertEqual([request.headers.get("If-None-Match") for request in transport.requests], [None, "1", None, None])

    def test_does_not_keep_pages_that_were_cut(self) -> None:
        transport = FakeTransport([envelope([1], etag="1", x_svc_limit_reduced="1"), envelope([1, 2], etag="2")])
        api = client(transport, cache=ETagCache())
        api.rates_list()
        self.assertEqual(len(api.rates_list().data), 2)
        self.assertNotIn("If-None-Match", transport.requests[1].headers)

    def test_a_cache_that_fails_does_not_fail_calls(self) -> None:
        class Broken(ETagCache):
            def get(self, key: str) -> CachedResponse | None:
                raise OSError("The disk is gone.")

            def set(self, key: str, response: CachedResponse) -> None:
                raise OSError("The disk is full.")

        transport = FakeTransport([envelope([1], etag="1", x_svc_credits_charged="1")])
        with self.assertLogs("savings_rates", "WARNING") as logs:
            answer = client(transport, cache=Broken()).rates_list()
        self.assertEqual((answer.data, answer.credits_charged, len(logs.records)), ([1], 1, 2))

    def test_is_bounded(self) -> None:
        cache = ETagCache(max_entries=2)
        transport = FakeTransport([envelope([], etag=str(number)) for number in range(4)])
        api = client(transport, cache=cache)
        for limit in (1, 2, 3, 1):
            api.rates_list(limit=limit)
        self.assertNotIn("If-None-Match", transport.requests[3].headers)


if __name__ == "__main__":
    unittest.main()
