/** Code shared by the rival processes: reads the response body, and signals that the process is ready. */
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'

/** Returns the response body that calls.ts saved from our service. */
export function rivalBody(): string {
  const file = process.env['BENCH_BODY']
  if (file === undefined) throw new Error('BENCH_BODY is not set. Run the benchmark with `npm run bench`.')
  return readFileSync(file, 'utf8')
}

/** Listens on a free port and prints the port number. Exits when the benchmark exits. */
export function listenAsRival(server: Server): void {
  server.keepAliveTimeout = 65_000
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address) console.log(JSON.stringify({ port: address.port }))
  })
  process.once('disconnect', () => process.exit(0))
  process.once('SIGTERM', () => process.exit(0))
}
