/** One round: clients, an operator and injected failures at the same time, then a pause, then the audit. */
import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from './audit.ts'
import { makeCast } from './cast.ts'
import { type CallCounts, Crowd } from './crowd.ts'
import type { Fleet } from './fleet.ts'
import { Operator } from './operator.ts'
import type { OwnServer } from './own-server.ts'

export type Disaster =
  | 'kill -9 of a process'
  | 'immediate shutdown of PostgreSQL'
  | 'kill -9 of PostgreSQL'
  | 'PostgreSQL frozen for 4 s'
  | 'PostgreSQL frozen for 7 s'

/** Milliseconds from the start of the failure to the next successful call (`firstMs`) and to the last failed call (`lastMs`). */
export type Recovery = { readonly disaster: Disaster; readonly firstMs: number; readonly lastMs: number }

export type RoundReport = {
  readonly telemetry: CallCounts
  readonly latenciesMs: readonly number[]
  readonly recoveries: readonly Recovery[]
  /** Calls that failed although no injected failure was active or had just ended. */
  readonly strayFailures: number
  readonly charged: number
  readonly operatorComplaints: ReadonlyMap<string, number>
  readonly faults: readonly string[]
}

export type RoundOptions = {
  readonly server: OwnServer
  readonly fleet: Fleet
  readonly clients: number
  readonly pauseMs: number
  readonly calmMs: number
  readonly disasters: readonly Disaster[]
}

const upAgainMs = 4_000
const aftermathMs = 3_000

async function strike(disaster: Disaster, { server, fleet }: RoundOptions): Promise<void> {
  switch (disaster) {
    case 'kill -9 of a process': {
      const place = Math.floor(Math.random() * fleet.origins.length)
      await fleet.kill(place)
      await fleet.restart(place)
      return
    }
    case 'immediate shutdown of PostgreSQL':
      await server.end('SIGQUIT')
      break
    case 'kill -9 of PostgreSQL':
      await server.end('SIGKILL')
      break
    default:
      server.freeze()
      await sleep(disaster === 'PostgreSQL frozen for 7 s' ? 7_000 : 4_000)
      server.thaw()
  }
  await server.untilUp()
}

function getRecovery(disaster: Disaster, from: number, to: number, crowd: Crowd): Recovery {
  const first = crowd.successes.filter(({ sentAt }) => sentAt > from).map(({ answeredAt }) => answeredAt)
  const failures = crowd.failures.filter((at) => at > from && at < to)
  const since = (at: number | undefined) => Math.max(0, (at ?? from) - from)
  return { disaster, firstMs: since(first.length > 0 ? Math.min(...first.slice(0, 200)) : undefined), lastMs: since(failures.at(-1)) }
}

export async function playRound(options: RoundOptions): Promise<RoundReport> {
  const { server, fleet, calmMs, disasters } = options
  const cast = await makeCast(server.pool)
  const crowd = new Crowd(cast, fleet, options)
  const operator = new Operator(server.pool, cast, (calmMs * (disasters.length + 1)) / 12)
  const struck: { disaster: Disaster; at: number; endedAt: number }[] = []
  for (const disaster of disasters) {
    await sleep(calmMs)
    const at = performance.now()
    await strike(disaster, options)
    struck.push({ disaster, at, endedAt: performance.now() })
  }
  await sleep(Math.max(calmMs, upAgainMs))
  await Promise.all([crowd.stop(), operator.stop()])
  const losesSums = disasters.includes('kill -9 of a process')
  const faults = [...crowd.faults, ...(await audit(server.pool, { cast, answers: crowd.answers, granted: operator.granted, losesSums }))]
  for (const member of fleet.crashed)
    faults.push(`a process exited unexpectedly with ${member.child.exitCode ?? member.child.signalCode}:\n${member.log().slice(-2_000)}`)
  const recoveries = struck.map(({ disaster, at }, place) => getRecovery(disaster, at, struck[place + 1]?.at ?? Infinity, crowd))
  const strayFailures = crowd.failures.filter((failed) => !struck.some(({ at, endedAt }) => failed > at && failed < endedAt + aftermathMs)).length
  const charged = crowd.answers.reduce((total, { credits }) => total + credits, 0)
  return { telemetry: crowd.telemetry, latenciesMs: crowd.latenciesMs, recoveries, strayFailures, charged, operatorComplaints: operator.complaints, faults }
}
