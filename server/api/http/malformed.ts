import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Answer } from '#server/api/pipeline/call.ts'
import { http } from '#server/runtime/node-http.ts'
import type { Connections } from './connections.ts'

/** Serialises a response for a connection that has no request to respond to. */
function getBytes({ status, headers: flat, body, bytes }: Answer): string {
  const headers: string[] = []
  for (let at = 0; at < flat.length; at += 2) headers.push(`${flat[at]}: ${flat[at + 1]}\r\n`)
  return `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${headers.join('')}Content-Length: ${bytes}\r\nConnection: close\r\n\r\n${body}`
}

/**
 * Answers malformed bytes and closes the connection. Earlier requests are answered first: otherwise the error would be taken for the response to the first of
 * them, which its caller may have paid for.
 */
export function answerMalformed(socket: Duplex, connections: Connections, answer: () => Answer): void {
  if (!(socket instanceof Socket) || !socket.writable) {
    socket.destroy()
    return
  }
  // Each further chunk of malformed bytes is reported again.
  if (connections.isRefused(socket)) return
  connections.refuse(socket)
  const say = () => {
    if (socket.writable) socket.end(getBytes(answer()))
    socket.destroySoon()
  }
  const newest = connections.getNewest(socket)
  if (newest === null || newest.response.writableFinished) say()
  else if (newest.request.complete) newest.response.once('finish', say)
  else if (newest.response.headersSent) socket.destroy()
  // The error is in the body of the latest request, and this is the response to it.
  else if (newest.response.socket) say()
  else newest.response.once('socket', say)
}
