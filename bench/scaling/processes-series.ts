/** Measures one, two and four gateways on one PostgreSQL, and the effect of one and two cores. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { makeKeys } from '../accounts.ts'
import { spreadOver } from '../cases.ts'
import { processors, readTimes } from '../cpu.ts'
import { openBenchDatabase, settle } from '../database.ts'
import { httpCall } from '../load/requests.ts'
import type { Sample, Subject } from '../measure.ts'
import { startOurs } from '../processes.ts'
import { compare, count, type Line, type Size, type Table } from './gauge.ts'

/** Share of the cores used by servers, PostgreSQL and load generator. */
function inUse({ requestsPerSecond, serverCpuMicros, databaseCpuMicros, loadCpuMicros }: Sample, of: number): string {
  const share = (requestsPerSecond * (serverCpuMicros + databaseCpuMicros + loadCpuMicros)) / (1_000_000 * of)
  return `${count(share * 100)} %`
}

/** True if the system can pin processes to cores. */
function canPin(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Pins this process, the servers and their children to the first cores. New child processes inherit it. */
function pin(first: number, subjects: readonly Subject[]): void {
  const families = subjects.flatMap(({ running, database }) => [...running.pids, ...(database ? [database.pid] : [])])
  for (const pid of [process.pid, ...readTimes(families).keys()]) {
    try {
      execFileSync('taskset', ['-a', '-c', '-p', `0-${first - 1}`, String(pid)], { stdio: 'ignore' })
    } catch (error) {
      // The process may be a PostgreSQL backend that has ended.
      if (pid === process.pid) throw error
    }
  }
}

async function withPinned(subjects: readonly Subject[], size: Size): Promise<Line[]> {
  const [one, two] = subjects
  if (!(one && two)) return []
  const pinned = await compare([one, two], size, (at) => pin(at + 1, [one, two]))
  pin(processors, [one, two])
  return pinned.map(({ sample, ratio }, at) => ({
    size: at === 0 ? '1 process, everything on 1 core' : '2 processes, everything on 2 cores',
    sample,
    ratio,
    more: [inUse(sample, at + 1)],
  }))
}

export async function processesSeries(scratch: string, size: Size): Promise<Table[]> {
  await using cleanUp = new AsyncDisposableStack()
  const database = await openBenchDatabase(join(scratch, 'processes'))
  cleanUp.defer(() => database.stop())
  const spread = await makeKeys(database.pool, 'spread', spreadOver)
  await settle(database.pool)
  const subjects: Subject[] = []
  for (const processes of size.processes) {
    const running = await startOurs({ databaseUrl: database.url, dataDir: database.dataDir, roles: 'gateway', processes })
    cleanUp.defer(() => running.stop())
    subjects.push({ running, request: httpCall, keys: { spread, hot: spread.slice(0, 1) }, database })
  }
  // Warms up all servers before the first measurement.
  await compare(subjects, { ...size, rounds: 1 })
  const compared = await compare(subjects, size)
  const lines = compared.map(({ sample, ratio }, at) => ({ size: `${size.processes[at]}`, sample, ratio, more: [inUse(sample, processors)] }))
  const tables: Table[] = [{ title: 'Gateway processes', against: 'one', columns: ['CPU use'], lines }]
  if (!canPin() || processors < 2) return tables
  return [...tables, { title: 'Cores', against: 'one core', columns: ['CPU use'], lines: await withPinned(subjects, size) }]
}
