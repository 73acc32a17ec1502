/** Failures injected by a chaos run. Each one ends before the next begins. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { getRandom } from '../billing/support/random.ts'
import { workers } from './citus-cluster.ts'
import { type MemberName, memberNames } from './members.ts'
import type { Site } from './site.ts'

export type Random = ReturnType<typeof getRandom>

export type Disaster = {
  readonly name: string
  /** Processes that the failure affects; all others must keep working. */
  readonly victims: readonly MemberName[]
  /** Injects the failure. Returns null if this machine does not support it. */
  readonly strike: (site: Site, random: Random) => Promise<Moment | null>
}

/** End of a failure. The recovery time is measured from `at` to the first response to a probe sent after `behind`. */
export type Moment = { readonly at: number; readonly behind: number }

/** Marks the end of the failure: from now on, nothing prevents the affected processes from recovering. */
function over(at = performance.now()): Moment {
  return { at, behind: performance.now() }
}

const everybody = memberNames
const gateways = ['gateway-1', 'gateway-2'] as const
const api = ['gateway-1', 'gateway-2', 'portal'] as const

function ending(name: string, victims: readonly MemberName[], signal: 'SIGKILL' | 'SIGTERM'): Disaster {
  return {
    name,
    victims,
    strike: async ({ members }) => {
      const at = performance.now()
      await Promise.all(victims.map((victim) => members.named(victim).end(signal)))
      return over(at)
    },
  }
}

function serverEnding(name: string, signal: 'SIGKILL' | 'SIGQUIT'): Disaster {
  return {
    name,
    victims: everybody,
    strike: async ({ server }) => {
      const at = performance.now()
      await server.end(signal)
      await server.untilUp()
      return over(at)
    },
  }
}

const standstill: Disaster = {
  name: 'PostgreSQL frozen for 1 to 5 s',
  victims: everybody,
  strike: async ({ server }, random) => {
    server.freeze()
    await sleep(1_000 + random.below(4_000))
    server.thaw()
    return over()
  },
}

const slow: Disaster = {
  name: 'PostgreSQL responses delayed by 50 to 250 ms for 5 s',
  victims: everybody,
  strike: async ({ proxy }, random) => {
    proxy.slow(50 + random.below(200))
    await sleep(5_000)
    proxy.slow(0)
    return over()
  },
}

const cut: Disaster = {
  name: 'all connections to PostgreSQL cut, 5 times in 2 s',
  victims: everybody,
  strike: async ({ proxy }, random) => {
    for (let times = 0; times < 5; times++) {
      await sleep(random.below(800))
      proxy.cut()
    }
    return over()
  },
}

const logDisk: Disaster = {
  name: 'log disk full for 5 s',
  victims: everybody,
  strike: async ({ disks, proxy }) => {
    if (!disks) return null
    disks.logs.fill()
    // Broken connections make the processes write to their logs.
    proxy.cut()
    await sleep(5_000)
    disks.logs.freeSpace()
    return over()
  },
}

const dataDisk: Disaster = {
  name: 'PostgreSQL disk full for 4 s',
  victims: everybody,
  strike: async ({ disks, server }) => {
    if (!disks) return null
    disks.data.fill()
    const end = performance.now() + 4_000
    while (performance.now() < end) {
      // Uses up the free space inside PostgreSQL's own files, so that calls need more disk space than there is.
      await server.pool.query('CREATE TABLE IF NOT EXISTS chaos_filler (text text)').catch(() => undefined)
      await server.pool.query("INSERT INTO chaos_filler SELECT repeat('x', 1800) FROM generate_series(1, 4000)").catch(() => undefined)
      await sleep(50)
    }
    disks.data.freeSpace()
    await server.untilUp()
    await server.pool.query('DROP TABLE IF EXISTS chaos_filler').catch(() => undefined)
    return over()
  },
}

/** Sets the clocks of some processes minutes ahead or back, then corrects them. */
function clockStep(name: string, clocks: readonly string[], victims: readonly MemberName[], seconds: (random: Random) => number): Disaster {
  return {
    name,
    victims,
    strike: async ({ clocks: moved }, random) => {
      const by = seconds(random)
      for (const clock of clocks) moved.set(clock, by)
      await sleep(5_000)
      for (const clock of clocks) moved.set(clock, 0)
      return over()
    },
  }
}

const minutes = (random: Random) => (random.chance(0.5) ? 1 : -1) * (60 + random.below(180))

export const disasters: readonly Disaster[] = [
  ending('kill -9 of a gateway', ['gateway-1'], 'SIGKILL'),
  ending('kill -9 of the portal', ['portal'], 'SIGKILL'),
  ending('kill -9 of the worker', ['worker'], 'SIGKILL'),
  ending('SIGTERM of a gateway', ['gateway-2'], 'SIGTERM'),
  ending('kill -9 of all processes at once', everybody, 'SIGKILL'),
  serverEnding('kill -9 of PostgreSQL', 'SIGKILL'),
  serverEnding('immediate shutdown of PostgreSQL', 'SIGQUIT'),
  standstill,
  slow,
  cut,
  logDisk,
  dataDisk,
  clockStep('gateway clock 1 to 4 minutes off for 5 s', ['gateway-1'], ['gateway-1'], minutes),
  clockStep('gateway clocks a day ahead for 5 s', gateways, gateways, () => 86_400),
  clockStep('worker clock 1 to 4 minutes off for 5 s', ['worker'], ['worker'], minutes),
  clockStep('PostgreSQL clock 1 to 4 minutes off for 5 s', ['database'], api, minutes),
]

const workerEnding: Disaster = {
  name: 'kill -9 of a worker of the cluster, down for 1 to 5 s',
  victims: everybody,
  strike: async ({ cluster }, random) => {
    if (!cluster) return null
    const at = performance.now()
    await cluster.endWorker(1 + random.below(workers), 1_000 + random.below(4_000))
    return over(at)
  },
}

const shardMove: Disaster = {
  name: 'a shard moved to the other worker',
  victims: everybody,
  strike: async ({ cluster }, random) => {
    if (!cluster) return null
    await cluster.moveShard(random.below(1_000))
    return over()
  },
}

const interruptedMove: Disaster = {
  name: 'kill -9 of a worker while a shard moves',
  victims: everybody,
  strike: async ({ cluster }, random) => {
    if (!cluster) return null
    // Citus undoes a move that fails.
    const move = cluster.moveShard(random.below(1_000)).catch(() => undefined)
    await sleep(random.below(2_000))
    const at = performance.now()
    await cluster.endWorker(1 + random.below(workers), 1_000)
    await move
    return over(at)
  },
}

/** Failures that replace the others in a run on a Citus cluster. A worker is killed more than once a minute. */
export const clusterDisasters: readonly Disaster[] = [
  workerEnding,
  shardMove,
  interruptedMove,
  shardMove,
  ending('kill -9 of a gateway', ['gateway-1'], 'SIGKILL'),
]
