"""Verification of deliveries."""

from __future__ import annotations

import hashlib
import hmac
import json
import unittest

from savings_rates import WebhookError, verify_webhook

BODY = json.dumps({"id": "evt_1", "type": "rate.changed", "data": {"accountName": "Zoë’s £4.50 Saver"}}, ensure_ascii=False).encode()
AT = 1_795_253_400


def sign(secret: str, body: bytes = BODY, at: int = AT) -> str:
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()


def header(*secrets: str) -> str:
    return f"t={AT}," + ",".join(f"v1={sign(secret)}" for secret in secrets)


class Verification(unittest.TestCase):
    def test_returns_the_event_of_a_genuine_delivery(self) -> None:
        for headers in ({"X-SVC-Signature": header("new")}, {"x-svc-signature": header("new")}, header("new"), header("old", "new")):
            self.assertEqual(verify_webhook(BODY, headers, "new", now=AT)["id"], "evt_1")
        self.assertEqual(verify_webhook(BODY.decode(), header("old"), ["new", "old"], now=AT + 300)["id"], "evt_1")

    def test_rejects_every_other_delivery(self) -> None:
        good = header("secret")
        wrong: list[tuple[dict[str, str] | str | None, bytes, int, str]] = [
            ({}, BODY, AT, "missing_signature"),
            (None, BODY, AT, "missing_signature"),
            ("v1=" + sign("secret"), BODY, AT, "malformed_signature"),
            (f"t={AT},v1=abc", BODY, AT, "malformed_signature"),
            (f"t=٣,v1={sign('secret')}", BODY, AT, "malformed_signature"),
            (good, BODY, AT + 301, "too_old"),
            (good, BODY, AT - 301, "too_new"),
            (good, BODY + b"\n", AT, "wrong_signature"),
            (header("other"), BODY, AT, "wrong_signature"),
            (f"t={AT + 1},v1={sign('secret')}", BODY, AT, "wrong_signature"),
            (f"t={AT},v1={sign('secret', b'no')}", b"no", AT, "malformed_body"),
        ]
        for headers, body, now, reason in wrong:
            with self.assertRaises(WebhookError) as caught:
                verify_webhook(body, headers, "secret", now=now)
            self.assertEqual(caught.exception.reason, reason)

    def test_rejects_invalid_settings(self) -> None:
        for secret in ("", [], [""], ["secret", ""]):
            with self.assertRaisesRegex(ValueError, "secret"):
                verify_webhook(BODY, header("secret"), secret, now=AT)
        for tolerance in (-1.0, float("nan"), float("inf")):
            with self.assertRaisesRegex(ValueError, "tolerance"):
                verify_webhook(BODY, header("secret"), "secret", tolerance=tolerance, now=AT)


if __name__ == "__main__":
    unittest.main()
