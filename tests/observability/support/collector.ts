import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { type ReceivedSpan, readTraces } from './otlp.ts'

/** Local trace collector that records everything it receives. */
export type Collector = {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Resource attributes of the sending service. */
  readonly resource: Record<string, string | number>
  /** Request bodies, decoded as text although they contain binary data. */
  readonly bodies: string[]
  readonly headers: (string | undefined)[]
  close: () => Promise<void>
}

export async function openCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const resource: Record<string, string | number> = {}
  const [bodies, headers]: [string[], (string | undefined)[]] = [[], []]
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const whole = Buffer.concat(chunks)
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole
      bodies.push(body.toString('latin1'))
      headers.push(request.headers['x-collector-key']?.toString())
      const read = readTraces(body)
      spans.push(...read.spans)
      Object.assign(resource, read.resource)
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url: `http://127.0.0.1:${port}`, spans, resource, bodies, headers, close }
}
