/** Rival 2: a bare Next route handler that returns the constant body, served through node:http without batching. */
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import next from 'next'
import { listenAsRival, rivalBody } from './rival.ts'

const dir = fileURLToPath(new URL('../next-bare', import.meta.url))

// The bundle has its own copy of every module, so the body is passed through a property of the global object, the way our server passes its service object to
// Next.
const shared = globalThis as { [key: symbol]: unknown }
shared[Symbol.for('bench.body')] = rivalBody()

const app = next({ dev: false, dir, hostname: '127.0.0.1', port: 3000 })
await app.prepare()
const handle = app.getRequestHandler()
listenAsRival(createServer({ keepAliveTimeout: 65_000 }, (request, response) => void handle(request, response)))
