/** Collects the metrics of all processes of a service. prom-client's `clusterMetrics` omits the primary, and fails completely if one worker doesn't respond. */
import cluster, { type Worker } from 'node:cluster'

/** Metrics of each process in prom-client's JSON format, and the number of processes that did not respond. */
export type ProcessMetrics = { readonly reports: readonly object[]; readonly missing: number }

/** Messages between the primary and its workers: a request and its response. */
type Message = { readonly svc: 'metrics'; readonly id: number; readonly answer?: ProcessMetrics }

type Peer = Worker | NodeJS.Process

/** Time limit for a worker's answer. Longer than the time limit for reading the database figures, which are part of each answer. */
const workerTimeoutMs = 1_500
const primaryTimeoutMs = 2_000

const waiting = new Map<number, (answer: ProcessMetrics) => void>()
let lastId = 0
let readOwn: () => Promise<object[]> = async () => []

/** Sets the function that reads the metrics of this process. */
export function provideMetrics(read: () => Promise<object[]>): void {
  readOwn = async () => [await read()]
}

// Ignores send errors: if the other process is gone, an exit or disconnect event reports it.
const send = (peer: Peer, message: Message) => void peer.send?.(message, undefined, undefined, () => undefined)

function ask(peer: Peer, timeoutMs: number): Promise<ProcessMetrics> {
  const id = ++lastId
  return new Promise<ProcessMetrics>((resolve) => {
    waiting.set(id, resolve)
    setTimeout(resolve, timeoutMs, { reports: [], missing: 1 }).unref()
    send(peer, { svc: 'metrics', id })
  }).finally(() => waiting.delete(id))
}

const ownMetrics = (): Promise<ProcessMetrics> =>
  readOwn().then(
    (reports) => ({ reports, missing: 0 }),
    () => ({ reports: [], missing: 1 }),
  )

/** Returns the metrics of all processes of this service. A worker gets them from the primary, because it cannot reach the other workers. */
export async function collectMetrics(): Promise<ProcessMetrics> {
  if (cluster.isWorker) return ask(process, primaryTimeoutMs)
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true)
  const all = await Promise.all([ownMetrics(), ...workers.map((worker) => ask(worker as Worker, workerTimeoutMs))])
  return { reports: all.flatMap(({ reports }) => reports), missing: all.reduce((sum, { missing }) => sum + missing, 0) }
}

async function receive(peer: Peer, message: Message | null): Promise<void> {
  if (message?.svc !== 'metrics') return
  if (message.answer) waiting.get(message.id)?.(message.answer)
  else send(peer, { svc: 'metrics', id: message.id, answer: await (cluster.isWorker ? ownMetrics() : collectMetrics()) })
}

/** Answers metrics requests from the other processes of this service. Call it in the primary and in each worker. */
export function openMetricsChannel(): void {
  if (cluster.isWorker) process.on('message', (message: Message | null) => void receive(process, message))
  else cluster.on('message', (worker, message: Message | null) => void receive(worker, message))
}
