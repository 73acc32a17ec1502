import { requestText } from './wire.ts'

export const chunked = 'Transfer-Encoding: chunked'

/** Messages that two servers in a chain could parse differently, by name. `{auth}` is replaced by an Authorization header with a valid key. */
export const ambiguous: [name: string, bytes: string][] = [
  ['Content-Length and Transfer-Encoding', `POST /mcp HTTP/1.1\r\nHost: a\r\n{auth}\r\nContent-Length: 4\r\n${chunked}\r\n\r\n0\r\n\r\n`],
  ['two Transfer-Encodings', `POST /mcp HTTP/1.1\r\nHost: a\r\n{auth}\r\n${chunked}\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`],
  ['chunked twice', `POST /mcp HTTP/1.1\r\nHost: a\r\n{auth}\r\n${chunked}\r\n${chunked}\r\n\r\n0\r\n\r\n`],
  ['an unknown Transfer-Encoding', 'POST /mcp HTTP/1.1\r\nHost: a\r\n{auth}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
  ['Transfer-Encoding in version 1.0', `POST /mcp HTTP/1.0\r\nHost: a\r\n{auth}\r\nConnection: keep-alive\r\n${chunked}\r\n\r\n0\r\n\r\n`],
  ['two Content-Lengths', 'GET /v1/ping HTTP/1.1\r\nHost: a\r\n{auth}\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n'],
  ['a list of Content-Lengths', 'GET /v1/ping HTTP/1.1\r\nHost: a\r\n{auth}\r\nContent-Length: 0, 0\r\n\r\n'],
  ['a signed Content-Length', 'GET /v1/ping HTTP/1.1\r\nHost: a\r\n{auth}\r\nContent-Length: +0\r\n\r\n'],
  ['a bare LF in the headers', 'GET /v1/ping HTTP/1.1\r\nHost: a\n{auth}\r\n\r\n'],
  ['only bare LFs', 'GET /v1/ping HTTP/1.1\nHost: a\n{auth}\n\n'],
  ['a bare CR', 'GET /v1/ping HTTP/1.1\r\nHost: a\r{auth}\r\n\r\n'],
  ['a space before the colon', 'GET /v1/ping HTTP/1.1\r\nHost: a\r\nAuthorization : x\r\n\r\n'],
  ['a folded header', 'GET /v1/ping HTTP/1.1\r\nHost: a\r\n{auth}\r\nX-A: b\r\n c\r\n\r\n'],
  ['a NUL in a header', 'GET /v1/ping HTTP/1.1\r\nHost: a\r\n{auth}\r\nX-A: b\0c\r\n\r\n'],
  ['a control character in a header', 'GET /v1/ping HTTP/1.1\r\nHost: a\r\n{auth}\r\nX-A: b\x01c\r\n\r\n'],
  ['a header without a name', 'GET /v1/ping HTTP/1.1\r\nHost: a\r\n{auth}\r\n: b\r\n\r\n'],
  ['a control character in the path', 'GET /v1/ping\x01 HTTP/1.1\r\nHost: a\r\n{auth}\r\n\r\n'],
  ['a byte beyond ASCII in the path', 'GET /v1/ping\xe9 HTTP/1.1\r\nHost: a\r\n{auth}\r\n\r\n'],
  ['a space in the path', 'GET /v1/ping x HTTP/1.1\r\nHost: a\r\n{auth}\r\n\r\n'],
  ['an authority-form target', 'GET a:80 HTTP/1.1\r\nHost: a\r\n{auth}\r\n\r\n'],
  ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n{auth}\r\n\r\n'],
  ['no Host', 'GET /v1/ping HTTP/1.1\r\n{auth}\r\n\r\n'],
  ['two Hosts', 'GET /v1/ping HTTP/1.1\r\nHost: a\r\nHost: b\r\n{auth}\r\n\r\n'],
  ['a Host with a path', 'GET /v1/ping HTTP/1.1\r\nHost: a/b c\r\n{auth}\r\n\r\n'],
  ['two keys', 'GET /v1/ping HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer svc_test_x\r\n{auth}\r\n\r\n'],
  ['two Idempotency-Keys', 'GET /v1/ping HTTP/1.1\r\nHost: a\r\n{auth}\r\nIdempotency-Key: a\r\nidempotency-key: b\r\n\r\n'],
  ['two X-SVC-Max-Credits', 'GET /v1/ping HTTP/1.1\r\nHost: a\r\n{auth}\r\nX-SVC-Max-Credits: 0\r\nX-SVC-Max-Credits: 9\r\n\r\n'],
  ['an unknown version', 'GET /v1/ping HTTP/1.2\r\nHost: a\r\n{auth}\r\n\r\n'],
  ['no version', 'GET /v1/ping\r\n\r\n'],
  ['a lower-case method', 'get /v1/ping HTTP/1.1\r\nHost: a\r\n{auth}\r\n\r\n'],
  ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a chunk without a length', `POST /mcp HTTP/1.1\r\nHost: a\r\n{auth}\r\n${chunked}\r\n\r\nzz\r\na\r\n0\r\n\r\n`],
  ['a chunk that ends with a bare LF', `POST /mcp HTTP/1.1\r\nHost: a\r\n{auth}\r\n${chunked}\r\n\r\n1\na\r\n0\r\n\r\n`],
]

/** Malformed variants of a call's URL. */
export const malformedTargets = [
  '//v1/ping',
  '/v1//ping',
  '/V1/ping',
  '/v1/PING',
  '/v1/%70ing',
  '/v1/./ping',
  '/x/../v1/ping',
  '/v1/%2e%2e/v1/ping',
  '/v1%2Fping',
  '/v1\\ping',
  '\\v1\\ping',
  '/v1;x/ping',
  '/v1/ping%00',
  '/v1/ping#x',
  '/%76%31/ping',
]

/** Malformed variants of the admin URL, none of which may reach it. */
export const adminPaths = [
  '/admin',
  '/admin/accounts',
  '/ADMIN',
  '/ADMIN/accounts',
  '/%61dmin',
  '/%61dmin/accounts',
  '//admin',
  '/x/../admin',
  '/./admin/accounts',
  '/admin%2Faccounts',
  '/portal/..%2fadmin',
]

/** Headers that only a proxy, a hosting platform, Next.js or this service may set, sent here by a client. */
export const internalHeaders = [
  ['X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: gopher', 'X-Forwarded-Port: 7', 'Forwarded: host=evil.test'],
  [
    'X-Middleware-Subrequest: proxy:proxy:proxy:proxy:proxy',
    'X-Middleware-Override-Headers: host',
    'X-Middleware-Request-Host: evil.test',
    'X-Middleware-Set-Cookie: a=b',
  ],
  ['X-Middleware-Rewrite: /admin', 'X-Middleware-Redirect: https://evil.test', 'X-Middleware-Next: 1', 'X-Middleware-Skip: 1'],
  [
    'X-SVC-Admin: open',
    'X-SVC-Peer: x 203.0.113.7 /v1/ping',
    'X-Matched-Path: /admin',
    'X-Now-Route-Matches: a=b',
    'X-Invoke-Status: 500',
    'X-Invoke-Error: e',
    'X-Nextjs-Data: 1',
  ],
  ['Content-Security-Policy: default-src *', 'X-Action-Redirect: https://evil.test', 'X-Nextjs-Postponed: 1', 'Next-Resume: 1', 'X-Prerender-Revalidate: x'],
]

/** Oversized requests by name, with the expected status. */
export const oversizedRequests: [name: string, status: number, bytes: () => string][] = [
  ['headers that are too long', 400, () => requestText('GET /v1/ping', ['{auth}', `X-A: ${'b'.repeat(17_000)}`])],
  ['too many headers', 400, () => requestText('GET /v1/ping', ['{auth}', ...Array.from({ length: 120 }, (_, at) => `X-${at}: b`)])],
  ['thousands of headers', 400, () => requestText('GET /v1/ping', ['{auth}', ...Array.from({ length: 2_200 }, () => 'X:b')])],
  ['a path that is too long', 400, () => requestText(`GET /v1/rates?cursor=${'x'.repeat(9_000)}`, ['{auth}'])],
  ['an endless path', 400, () => requestText(`GET /${'x'.repeat(20_000)}`, ['{auth}'])],
  [
    'too many headers for a page',
    431,
    () =>
      requestText(
        'GET /docs',
        Array.from({ length: 120 }, (_, at) => `X-${at}: b`),
      ),
  ],
  ['a page path that is too long', 414, () => requestText(`GET /docs?x=${'x'.repeat(9_000)}`)],
  ['an unknown expectation for a page', 417, () => requestText('GET /docs', ['Expect: 200-ok'])],
  ['an MCP path that is too long', 400, () => requestText(`POST /mcp?x=${'x'.repeat(9_000)}`, ['{auth}'])],
  ['a partner API path that is too long', 400, () => requestText(`GET /api/v1/rates?x=${'x'.repeat(9_000)}`)],
  ['a Content-Length of 1 GB for MCP', 400, () => requestText('POST /mcp', ['{auth}', 'Content-Length: 1073741824'], 'x')],
  ['1 GB for the API', 400, () => requestText('GET /v1/rates?limit=1', ['{auth}', 'Content-Length: 1073741824'], 'x')],
  ['1 GB for the Stripe webhook', 413, () => requestText('POST /api/stripe/webhook', ['Content-Length: 1073741824'], 'x')],
  ['1 GB for tRPC', 413, () => requestText('POST /api/trpc/account.me', ['Sec-Fetch-Site: same-origin', 'Content-Length: 1073741824'], 'x')],
  ['1 GB for the sign-in form', 413, () => requestText('POST /sign-in', ['Next-Action: x', 'Content-Length: 1073741824'], 'x')],
  ['1 MB for a path below /mcp, which is a page', 413, () => requestText('POST /mcp/x', ['Content-Length: 1000000'], 'x')],
  ['1 GB with Expect: 100-continue', 400, () => requestText('POST /mcp', ['{auth}', 'Expect: 100-continue', 'Content-Length: 1073741824'])],
  ['a chunked body for a path below /mcp', 411, () => requestText('POST /mcp/x', [chunked], '1\r\nx\r\n')],
  ['a chunked form', 411, () => requestText('POST /sign-in', ['Next-Action: x', chunked], '1\r\nx\r\n')],
  ['chunked tRPC', 411, () => requestText('POST /api/trpc/account.me', ['Sec-Fetch-Site: same-origin', chunked], '1\r\nx\r\n')],
  ['gzipped tRPC', 415, () => requestText('POST /api/trpc/account.me', ['Content-Encoding: gzip', 'Content-Length: 1'], 'x')],
  ['a Brotli form', 415, () => requestText('POST /sign-in', ['Content-Encoding: br', 'Content-Length: 1'], 'x')],
  ['chunks with huge extensions', 400, () => requestText('POST /mcp', ['{auth}', chunked], `1;${'a'.repeat(20_000)}\r\nx\r\n`)],
  ['an unknown expectation', 400, () => requestText('GET /v1/ping', ['{auth}', 'Expect: 200-ok'])],
]
