"""The transport of the standard library, against servers on this machine."""

from __future__ import annotations

import asyncio
import gzip
import os
import socket
import threading
import time
import unittest
from typing import Callable
from unittest import mock

from savings_rates.transport import HttpTransport, Request, Response, ThreadTransport, TransportError, TransportTimeout

Handler = Callable[[socket.socket, int], None]


class Server:
    """Answers each connection with the next handler, in a thread. Handlers receive the socket after the first request, and the number of the connection."""

    def __init__(self, handle: Handler) -> None:
        self.connections = 0
        self._handle = handle
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1/ping?a=b"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._answer, args=(connection, self.connections), daemon=True).start()

    def _answer(self, connection: socket.socket, number: int) -> None:
        with connection:
            try:
                self._handle(connection, number)
            except OSError:
                pass  # The client closed the connection.

    def close(self) -> None:
        self._listener.close()


def read_request(connection: socket.socket) -> bytes:
    received = b""
    while b"\r\n\r\n" not in received:
        chunk = connection.recv(4096)
        if not chunk:
            return b""
        received += chunk
    return received


def reply(body: bytes, headers: str = "") -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n{headers}\r\n".encode() + body


class Sending(unittest.TestCase):
    def open(self, handle: Handler) -> tuple[Server, HttpTransport]:
        server, transport = Server(handle), HttpTransport()
        self.addCleanup(server.close)
        self.addCleanup(transport.close)
        return server, transport

    def test_keeps_the_connection_open(self) -> None:
        def handle(connection: socket.socket, number: int) -> None:
            while request := read_request(connection):
                connection.sendall(reply(request.split(b"\r\n")[0], "X-A: b\r\n"))

        server, transport = self.open(handle)
        answers = [transport.send(Request(server.url, {"Accept": "application/json"}), 5) for _ in range(3)]
        self.assertEqual([(answer.status, answer.body, answer.headers["x-a"]) for answer in answers], [(200, b"GET /v1/ping?a=b HTTP/1.1", "b")] * 3)
        self.assertEqual(server.connections, 1)

    def test_opens_another_connection_if_the_server_closed_the_idle_one(self) -> None:
        def handle(connection: socket.socket, number: int) -> None:
            read_request(connection)
            connection.sendall(reply(str(number).encode()))

        server, transport = self.open(handle)
        self.assertEqual([transport.send(Request(server.url, {}), 5).body for _ in range(3)], [b"1", b"2", b"3"])

    def test_unpacks_gzip(self) -> None:
        def handle(connection: socket.socket, number: int) -> None:
            read_request(connection)
            body = gzip.compress(b"x" * 100_000)
            connection.sendall(reply(body[:-4] if number == 2 else body, "Content-Encoding: gzip\r\n"))

        server, transport = self.open(handle)
        self.assertEqual(len(transport.send(Request(server.url, {}), 5).body), 100_000)
        with self.assertRaises(TransportError):
            transport.send(Request(server.url, {}), 5)

    def test_reports_incomplete_responses(self) -> None:
        broken = [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", b"not HTTP"]

        def handle(connection: socket.socket, number: int) -> None:
            read_request(connection)
            connection.sendall(broken[number - 1])

        server, transport = self.open(handle)
        for _ in broken:
            with self.assertRaises(TransportError) as caught:
                transport.send(Request(server.url, {}), 5)
            self.assertNotIsInstance(caught.exception, TransportTimeout)
        server.close()

    def test_reports_that_nothing_listens(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        with self.assertRaises(TransportError):
            HttpTransport().send(Request(f"http://127.0.0.1:{port}/v1/ping", {}), 5)

    def test_times_out_even_if_bytes_keep_arriving(self) -> None:
        def handle(connection: socket.socket, number: int) -> None:
            read_request(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            for _ in range(200):
                connection.sendall(b"x")
                time.sleep(0.05)

        server, transport = self.open(handle)
        with self.assertRaises(TransportTimeout):
            transport.send(Request(server.url, {}), 0.3)

    def test_does_not_follow_redirects(self) -> None:
        def handle(connection: socket.socket, number: int) -> None:
            read_request(connection)
            connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n")

        server, transport = self.open(handle)
        self.assertEqual(transport.send(Request(server.url, {}), 5).status, 302)


class Threads(unittest.TestCase):
    def test_the_wait_for_a_thread_counts(self) -> None:
        sent: list[str] = []
        release = threading.Event()

        class Slow:
            def send(self, request: Request, timeout: float) -> Response:
                sent.append(request.url)
                release.wait(10)
                return Response(200, {}, f"{timeout:.1f}".encode())

            def close(self) -> None:
                pass

        async def call() -> list[Response | BaseException]:
            transport = ThreadTransport(Slow(), max_workers=1)
            first = asyncio.ensure_future(transport.send(Request("first", {}), 5))
            late = asyncio.ensure_future(transport.send(Request("late", {}), 0.05))
            third = asyncio.ensure_future(transport.send(Request("third", {}), 60))
            await asyncio.sleep(0.2)
            release.set()
            answers = await asyncio.gather(first, late, third, return_exceptions=True)
            await transport.close()
            return list(answers)

        first, late, third = asyncio.run(call())
        self.assertIsInstance(late, TransportTimeout)
        self.assertEqual(sent, ["first", "third"])
        assert isinstance(first, Response) and isinstance(third, Response)
        self.assertEqual(first.body, b"5.0")
        self.assertTrue(50 < float(third.body) < 60, third.body)


class Proxies(unittest.TestCase):
    def send(self, proxy: str) -> str:
        with mock.patch.dict(os.environ, {"https_proxy": proxy, "no_proxy": "", "NO_PROXY": ""}):
            with self.assertRaises(TransportError) as caught:
                HttpTransport().send(Request("https://api.example.test/v1/ping", {}), 5)
        return str(caught.exception)

    def test_connects_to_port_80_by_default(self) -> None:
        with mock.patch("socket.create_connection", side_effect=ConnectionRefusedError) as connect:
            for proxy in ("http://proxy.example.test", "proxy.example.test:80"):
                self.send(proxy)
        self.assertEqual([call.args[0] for call in connect.call_args_list], [("proxy.example.test", 80)] * 2)

    def test_rejects_other_kinds_of_proxies(self) -> None:
        for scheme in ("https", "socks5"):
            message = self.send(f"{scheme}://user:secret@proxy.example.test")
            self.assertIn(f"Proxies with {scheme}:// are not supported", message)
            self.assertNotIn("secret", message)


if __name__ == "__main__":
    unittest.main()
