import type { ServerResponse } from 'node:http'
import type { Answer } from '#server/api/pipeline/call.ts'

/** What Node's `writeHead` ends in. It is not documented; `tests/unit/page-head.test.ts` has its bytes compared with those of `writeHead`. */
type Response = ServerResponse & { _storeHeader(firstLines: string, headers: readonly string[]): void }

/**
 * The head of a page, as `writeHead(200, answer.headers)` would write it: date, connection and keep-alive are Node's. What it leaves out is Node's look at each
 * name and value, 1 to 5 µs a call. So every header must have been written by us, of characters that a header may have, as those of a page
 * are (`Sealer.page`): nothing in them was said by a caller. None of them may be about the connection.
 */
export function writePageHead(response: ServerResponse, { headers, bytes }: Answer): void {
  let lines = 'HTTP/1.1 200 OK\r\n'
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`
  response.statusCode = 200
  ;(response as Response)._storeHeader(lines, ['Content-Length', String(bytes)])
}
