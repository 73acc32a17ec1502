import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { AnswerFile } from '#server/api/pipeline/call.ts'

/** Called at the end of a download. An error means that the client has disconnected, and the streams have been closed. */
const onEnd = () => undefined

/** Decompresses a file that is stored with gzip as fast as it is read, so that it is never in memory as a whole. */
const decompress = (compressed: Uint8Array): Readable => pipeline(Readable.from([compressed]), createGunzip(), onEnd)

/** Sends a file as the body of a response whose head has been written. */
export function sendFile(response: ServerResponse, { coding, compressed }: AnswerFile): void {
  // A stream can't be piped into a response after its client has disconnected.
  if (response.destroyed) return
  if (coding !== null || response.req.method === 'HEAD') response.end(compressed)
  else pipeline(decompress(compressed), response, onEnd)
}

/** Returns a file as the body of a web response. */
export function fileBody({ coding, compressed }: AnswerFile): BodyInit {
  return coding === null ? (Readable.toWeb(decompress(compressed)) as ReadableStream<Uint8Array>) : compressed
}

/** Returns the first lines of a file that was requested without a coding, up to about this number of bytes. */
export async function readStart({ compressed }: AnswerFile, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of decompress(compressed) as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes >= maxBytes) break
  }
  const text = Buffer.concat(parts).toString()
  return text.slice(0, text.lastIndexOf('\n') + 1)
}
