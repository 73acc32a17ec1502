"""
Calls a running service. Set SVC_TEST_API to the base URL, SVC_TEST_KEY to a test key without a limit, SVC_TEST_METHODS to a JSON array of the methods that the
clients must have, and SVC_TEST_EXAMPLES to a JSON object with arguments of example calls. tests/client/python.test.ts in the repository does.
"""

from __future__ import annotations

import asyncio
import json
import os
import unittest
from typing import Any

from savings_rates import AsyncSavingsRates, ETagCache, PageOptions, SavingsRates, SavingsRatesError

API = os.environ.get("SVC_TEST_API", "")
KEY = os.environ.get("SVC_TEST_KEY", "")
METHODS: list[str] = json.loads(os.environ.get("SVC_TEST_METHODS", "[]"))
#: Arguments of an example call by method name.
EXAMPLES: dict[str, dict[str, Any]] = json.loads(os.environ.get("SVC_TEST_EXAMPLES", "{}"))


@unittest.skipIf(API == "", "SVC_TEST_API is not set.")
class Service(unittest.TestCase):
    def setUp(self) -> None:
        self.client = SavingsRates(KEY, base_url=API, cache=ETagCache())
        self.addCleanup(self.client.close)

    def test_has_a_method_for_every_operation(self) -> None:
        for kind in (SavingsRates, AsyncSavingsRates):
            self.assertEqual([name for name in METHODS if not callable(getattr(kind, name, None))], [])
        charged = 0
        for name, arguments in EXAMPLES.items():
            answer = getattr(self.client, name)(**arguments)
            self.assertRegex(answer.request_id, r"^req_[0-9a-f]{32}$", name)
            self.assertEqual((answer.meta["requestId"], answer.meta["creditsCharged"]), (answer.request_id, answer.credits_charged), name)
            self.assertIsNotNone(answer.rate_limit, name)
            charged += answer.credits_charged
        print(f"{len(METHODS)} methods, {len(EXAMPLES)} calls, {charged} credits")

    def test_receives_typed_rows(self) -> None:
        answer = self.client.rates_list(type="easy-access", limit=2, fields=["provider", "rate"])
        self.assertEqual([list(row) for row in answer.data], [["provider", "rate"]] * 2)
        self.assertEqual(answer.meta["limit"], 2)

    def test_unchanged_data_is_not_sent_again(self) -> None:
        first, again = self.client.reference_currencies(), self.client.reference_currencies()
        self.assertEqual((first.is_unchanged, again.is_unchanged, again.credits_charged, again.data), (False, True, 0, first.data))

    def test_reads_all_pages(self) -> None:
        pages = self.client.iter_rates_list(limit=7, fields=["sourceKey"])
        keys = [row["sourceKey"] for row in pages]
        self.assertEqual((len(set(keys)), pages.stopped), (len(keys), "done"))
        self.assertGreater(len(keys), 20)
        self.assertEqual(len(list(self.client.iter_rates_list(options=PageOptions(max_rows=3)))), 3)

    def test_raises_the_errors_of_the_api(self) -> None:
        with self.assertRaises(SavingsRatesError) as caught:
            self.client.rates_get("no-such-product")
        error = caught.exception
        self.assertEqual((error.code, error.status, error.attempts), ("not_found", 404, 1))
        self.assertIn("/docs/errors/not_found", error.docs or "")

    def test_calls_concurrently_with_asyncio(self) -> None:
        async def call() -> list[int]:
            async with AsyncSavingsRates(KEY, base_url=API) as client:
                answers = await asyncio.gather(*(client.rates_list(limit=number) for number in range(1, 13)))
                return [len(answer.data) for answer in answers]

        self.assertEqual(asyncio.run(call()), list(range(1, 13)))


if __name__ == "__main__":
    unittest.main()
