/**
 * Load generator, a separate process: reads a LoadOrder as JSON from standard input and prints a LoadResult as JSON. It uses plain sockets to save CPU time,
 * because on a two-core machine it competes with the server under test.
 */
import { json } from 'node:stream/consumers'
import { Connection } from './load/connection.ts'
import type { LoadOrder, LoadResult } from './load/load-types.ts'
import { Totals } from './load/totals.ts'

const lastResponsesTimeoutMs = 15_000

function makeRequests({ request: { path: onlyPath, paths = [onlyPath], headers, body }, keys }: LoadOrder): () => Buffer {
  const length = body === null ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const count = Math.max(keys.length, paths.length)
  const requests = Array.from({ length: count }, (_, index) => {
    const [path, key] = [paths[index % paths.length], keys[index % keys.length]]
    const head = [`${body === null ? 'GET' : 'POST'} ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${key}`, ...headers, ...length]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`)
  })
  let next = 0
  return () => {
    const request = requests[next]
    next = next + 1 === requests.length ? 0 : next + 1
    if (!request) throw new Error('The load generator needs at least one key.')
    return request
  }
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const from = performance.now() + order.warmUpSeconds * 1000
  const totals = new Totals(from, from + order.seconds * 1000)
  const nextRequest = makeRequests(order)
  const connections = Array.from({ length: order.connections }, () => new Connection(order.port, totals, nextRequest))
  const guard = setTimeout(
    () => {
      console.error(`Some responses did not arrive within ${lastResponsesTimeoutMs / 1000} s after the end.`)
      process.exit(1)
    },
    (order.warmUpSeconds + order.seconds) * 1000 + lastResponsesTimeoutMs,
  )
  await Promise.all(connections.map((connection) => connection.finished))
  clearTimeout(guard)
  const cpu = process.cpuUsage()
  const { answered, notOk, credits, uncharged, firstFault, histogram } = totals
  return {
    answered,
    notOk,
    credits,
    uncharged,
    firstFault,
    requestsPerSecond: histogram.total / order.seconds,
    p50Ms: histogram.quantile(0.5),
    p99Ms: histogram.quantile(0.99),
    longestMs: histogram.longestMs,
    loadCpuMicros: (cpu.user + cpu.system) / Math.max(1, answered),
  }
}

console.log(JSON.stringify(await run((await json(process.stdin)) as LoadOrder)))
