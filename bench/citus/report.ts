import { median } from '../figures.ts'
import { machineName } from '../report.ts'

/** Result of one round. CPU times are in microseconds per call. */
export type Sample = {
  /** Number of workers; 0 for one PostgreSQL without Citus. */
  readonly workers: number
  readonly connections: number
  readonly callsPerSecond: number
  readonly p99Ms: number
  readonly callsPerBatch: number
  readonly gatewayMicros: number
  /** CPU time of the servers that charge: the single server, or all workers together. */
  readonly chargeMicros: number
  readonly coordinatorMicros: number
  /** CPU time of the coordinator or the single server for adding a call to the usage totals. */
  readonly rollUpMicros: number
  /** Share of the machine used by unrelated programs. */
  readonly takenByOthers: number
}

type Figure = (sample: Sample) => number

const names = ['one PostgreSQL', 'Citus, 1 worker', 'Citus, 2 workers']
const coresOfWorker = 4
const utilisation = 0.8
const whole = (value: number) => Math.round(value).toLocaleString('en-GB')
const rounded = (value: number) => Number(value.toPrecision(2)).toLocaleString('en-GB')

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [row(head), row(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n')

/** Fits `fixed` per batch and `perCall` to CPU times per call at different batch sizes, by least squares. */
function fitBatchCost(samples: readonly Sample[]): { fixed: number; perCall: number } {
  const points = samples.map(({ callsPerBatch, chargeMicros }) => ({ x: 1 / callsPerBatch, y: chargeMicros }))
  const mean = (of: (point: { x: number; y: number }) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  const fixed = mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2)
  return { fixed, perCall: y - fixed * x }
}

/** Formats the comparison and the estimates for larger clusters. */
export function formatReport(samples: readonly Sample[], rounds: number): string {
  const of = (workers: number, connections: number) => samples.filter((one) => one.workers === workers && one.connections === connections)
  const figure = (workers: number, connections: number, get: Figure) => median(of(workers, connections).map(get)) ?? Number.NaN
  const connectionCounts = [...new Set(samples.map(({ connections }) => connections))]
  /** Median of the ratios to the single PostgreSQL in the same round. */
  const ratio = (workers: number, connections: number) =>
    median(of(workers, connections).map(({ chargeMicros }, round) => chargeMicros / (of(0, connections)[round]?.chargeMicros ?? Number.NaN))) ?? Number.NaN
  const measured = connectionCounts.flatMap((connections) =>
    names.map((name, workers) => {
      const get = (value: Figure) => figure(workers, connections, value)
      const [calls, batch, gateway] = [get((one) => one.callsPerSecond), get((one) => one.callsPerBatch), get((one) => one.gatewayMicros)]
      const charge = get((one) => one.chargeMicros)
      const coordinator = workers === 0 ? '' : get((one) => one.coordinatorMicros).toFixed(1)
      const rollUp = get((one) => one.rollUpMicros).toFixed(1)
      return [name, connections, whole(calls), batch.toFixed(1), whole(gateway), whole(charge), ratio(workers, connections).toFixed(2), coordinator, rollUp]
    }),
  )
  const cluster = samples.filter(({ workers }) => workers > 0)
  const { fixed, perCall } = fitBatchCost(cluster)
  const gatewayMicros = median(cluster.filter(({ connections }) => connections === Math.max(...connectionCounts)).map((one) => one.gatewayMicros)) ?? Number.NaN
  const rollUpMicros = median(cluster.filter(({ connections }) => connections === Math.max(...connectionCounts)).map((one) => one.rollUpMicros)) ?? Number.NaN
  const callsPerSecond = (workers: number, batch: number) => (workers * coresOfWorker * utilisation * 1e6) / (fixed / batch + perCall)
  const capacity = [2, 4, 8, 16, 32].map((workers) => {
    const [small, medium, large] = [2, 8, 32].map((batch) => callsPerSecond(workers, batch))
    return [workers, rounded(small ?? 0), rounded(medium ?? 0), rounded(large ?? 0), Math.ceil(((medium ?? 0) * gatewayMicros) / utilisation / 1e6)]
  })
  const others = median(samples.map(({ takenByOthers }) => takenByOthers)) ?? 0
  return `# Citus

One gateway, \`/v1/rates?limit=10\` with 100 live keys of 100 accounts, ${rounds} alternating rounds, medians. PostgreSQL 15, durable. ${machineName()}, shared by all
processes. Other programs used ${Math.round(others * 100)} % of the machine (median), so CPU times say more than calls per second. Every sample was checked: all
calls answered with 200, each charged once, every balance equal to its entries.

${table(['Database', 'connections', 'calls/s', 'calls per batch', 'gateway µs', 'PostgreSQL or workers µs', 'relative to one', 'coordinator µs', 'roll-up µs'], measured)}

CPU times are per call. "Roll-up" is the time of the coordinator, or of the only PostgreSQL, for adding a call to the usage totals.

## On paper

A batch costs a worker ${whole(fixed)} µs, and each of its calls ${perCall.toFixed(1)} µs more (least squares over all samples of the clusters). With workers of ${coresOfWorker} cores,
used to ${utilisation * 100} %, in calls per second:

${table(['workers', '2 calls per batch', '8 calls per batch', '32 calls per batch', 'gateways (cores) for 8 calls per batch'], capacity)}

A coordinator that spends one core on the roll-up, which runs in one session, keeps up with ${rounded(1e6 / rollUpMicros)} calls per second.
`
}
