/**
 * Failover drill: during calls to three servers under Patroni, kills the primary's machine, kills only its PostgreSQL, freezes the machine, and performs a
 * planned switchover. Prints how long no call was charged, and returns false if a charge was lost or made twice. docs/reliability.md describes the drill.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { maintainLog } from '#server/metering/usage.ts'
import { fillMarket } from '../chaos/own-server.ts'
import { DrillLoad, startMembers } from './drill-load.ts'
import { PatroniCluster } from './patroni-cluster.ts'
import { makeFolder } from './postgres-user.ts'

const calmMs = 4_000
const recoveryTimeoutMs = 90_000

type Node = PatroniCluster['nodes'][number]
type Failure = {
  readonly name: string
  readonly cause: (cluster: PatroniCluster, primary: Node) => Promise<void> | void
  readonly repair: (primary: Node) => void
}

const failures: readonly Failure[] = [
  { name: 'machine lost (Patroni and PostgreSQL killed)', cause: (_, node) => void node.signal('SIGKILL', true), repair: (node) => node.start() },
  { name: 'PostgreSQL killed', cause: (_, node) => void node.signal('SIGKILL', false), repair: () => undefined },
  {
    name: 'machine frozen, back after the failover',
    cause: (_, node) => void node.signal('SIGSTOP', true),
    repair: (node) => void node.signal('SIGCONT', true),
  },
  { name: 'planned switchover', cause: (cluster, node) => cluster.switchOver(node), repair: () => undefined },
]

const started = performance.now()
const say = (line: string) => console.log(`${((performance.now() - started) / 1_000).toFixed(0).padStart(4)} s  ${line}`)

/** Causes a failure and returns the time without charged calls, in milliseconds. Returns when the cluster is complete again. */
async function fail(cluster: PatroniCluster, load: DrillLoad, { name, cause, repair }: Failure): Promise<number> {
  const primary = await cluster.primary()
  await sleep(calmMs)
  const at = performance.now()
  await cause(cluster, primary)
  const next = await cluster.primary(primary)
  const promoted = performance.now()
  for (const end = promoted + recoveryTimeoutMs; !load.hasRecovered(promoted); await sleep(50)) {
    if (performance.now() > end) throw new Error(`After "${name}", a process did not recover.`)
  }
  repair(primary)
  await sleep(calmMs)
  await cluster.untilWhole()
  await sleep(calmMs)
  const gap = load.longestGap(at)
  say(`${name}: ${primary.name} → ${next.name}, ${(gap / 1_000).toFixed(1)} s without charged calls`)
  return gap
}

export async function drill(): Promise<boolean> {
  say('starting etcd and three servers')
  await using cluster = await PatroniCluster.start()
  await migrate(cluster.url, { log: () => undefined })
  const pool = openPool({ url: cluster.url, max: 8, applicationName: 'drill', statementTimeoutMs: 10_000, onError: () => undefined })
  await using opened = new AsyncDisposableStack()
  opened.defer(() => pool.end())
  await fillMarket(pool)
  await maintainLog(pool)
  say('starting the service')
  const folder = opened.use(await makeFolder('drill'))
  const members = opened.use(await startMembers(cluster.url, folder.path))
  const load = await DrillLoad.start(pool, members)
  const gaps: [string, number][] = []
  try {
    for (const failure of failures) gaps.push([failure.name, await fail(cluster, load, failure)])
  } finally {
    await load.stop()
  }
  const { faults, ...figures } = await load.compare()
  const crashes = members.all.flatMap((member) => member.crashes)
  console.log(`\n| Failure of the primary | Seconds without charged calls |\n| --- | --: |`)
  for (const [name, gap] of gaps) console.log(`| ${name} | ${(gap / 1_000).toFixed(1)} |`)
  console.log(`\n${JSON.stringify(figures)}`)
  for (const fault of [...faults, ...crashes].slice(0, 40)) console.log(`- ${fault}`)
  return faults.length === 0 && crashes.length === 0
}
