/** Long run: all actors use the site while one failure after another is injected. At the end, every response is compared with the ledger. */
import { setTimeout as sleep } from 'node:timers/promises'
import { getRandom } from '../billing/support/random.ts'
import { makeKey } from '../support/accounts.ts'
import type { Actor } from './actor.ts'
import { audit } from './audit.ts'
import { Buyer } from './buyers.ts'
import { type Cast, type CastKey, makeCast } from './cast.ts'
import { Crowd } from './crowd.ts'
import { clusterDisasters, type Disaster, disasters, type Moment, type Random } from './disasters.ts'
import { countEffects, findUnreportedCharges } from './evidence.ts'
import { Importer } from './importer.ts'
import type { Window } from './load-kind.ts'
import { Operator } from './operator.ts'
import { products } from './own-server.ts'
import { makePerson, PortalPerson } from './portal-people.ts'
import type { Outcome, Recovery } from './report.ts'
import type { Site } from './site.ts'
import { Subscriber } from './subscriber.ts'
import { ToolCallers } from './tool-callers.ts'
import { Watchdog } from './watchdog.ts'

export type PlayOptions = {
  readonly minutes: number
  readonly seed: number
  readonly clients: number
  readonly only: string | null
  readonly say: (line: string) => void
}

const calmMs = 3_000
const recoveryTimeoutMs = 60_000
const startBalance = 100_000

type Play = {
  readonly site: Site
  readonly cast: Cast
  readonly crowd: Crowd
  readonly operator: Operator
  readonly tools: ToolCallers
  readonly importer: Importer
  readonly watchdog: Watchdog
  readonly subscriber: Subscriber
  readonly actors: readonly Actor[]
}

/** Creates a key for a new account with a large balance, and adds the account to the cast. */
async function getKey(site: Site, cast: Cast): Promise<{ key: CastKey; cast: Cast }> {
  const { pool } = site.server
  const account = await makePerson(pool)
  const made = await makeKey(pool, account)
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM api_key WHERE public_id = $1', [made.id])
  const key: CastKey = { part: 'repeater', account, id: made.id, keyId: Number(rows[0]?.id), key: made.key, cap: null, revokedAt: null }
  return { key, cast: { ...cast, accounts: [...cast.accounts, { account, limits: null, cap: null }] } }
}

async function begin(site: Site, { minutes, clients }: PlayOptions): Promise<Play> {
  const { server, members, stripe } = site
  const { pool } = server
  const { origins } = members
  const portal = members.named('portal').origin
  const base = await makeCast(pool)
  const tool = await getKey(site, base)
  const probe = await getKey(site, base)
  const people = [await makePerson(pool), await makePerson(pool), await makePerson(pool), await makePerson(pool)]
  const subscriber = await Subscriber.open(pool, await makePerson(pool))
  const crowd = new Crowd(base, { origins }, { clients, pauseMs: 300 })
  const operator = new Operator(pool, base, (minutes * 60_000) / 13)
  const tools = new ToolCallers(origins, tool.key)
  const importer = new Importer({ pool, databaseUrl: server.url, origins, key: probe.key.key, products })
  const [one, two, three, four] = people
  if (!one || !two || !three || !four) throw new Error('Expected four people.')
  const others = [
    ...[one, two].map((person) => new PortalPerson(pool, person, portal, origins)),
    ...[three, four].map((person) => new Buyer({ pool, stripe, portal, origins }, person, startBalance)),
  ]
  const watchdog = new Watchdog(members, probe.key.key)
  return { site, cast: tool.cast, crowd, operator, tools, importer, watchdog, subscriber, actors: [tools, importer, ...others] }
}

/** Waits until all affected processes have recovered and returns the longest recovery time; null if one doesn't recover in time. */
async function recoveryFrom({ site, watchdog }: Play, { victims }: Disaster, { at, behind }: Moment): Promise<number | null> {
  for (const end = performance.now() + recoveryTimeoutMs; performance.now() < end; await sleep(50)) {
    const times = victims.map((name) => watchdog.since(site.members.named(name), behind))
    if (times.every((ms) => ms !== null)) return behind - at + Math.max(...times.map((ms) => ms ?? 0))
  }
  return null
}

type Struck = { readonly recoveries: Recovery[]; readonly windows: Window[]; readonly notDone: Set<string>; unseen: number }

async function strike(play: Play, disaster: Disaster, random: Random, struck: Struck, say: PlayOptions['say']): Promise<void> {
  const from = performance.now()
  const moment = await disaster.strike(play.site, random)
  if (moment === null) {
    struck.notDone.add(disaster.name)
    return
  }
  const ms = await recoveryFrom(play, disaster, moment)
  struck.windows.push({ from, to: performance.now() })
  struck.recoveries.push({ disaster: disaster.name, ms })
  say(`${disaster.name}: ${ms === null ? 'NEVER' : `${(ms / 1_000).toFixed(1)} s`}`)
}

async function strikeAll(play: Play, { minutes, seed, only, say }: PlayOptions): Promise<Struck> {
  const random = getRandom(seed)
  const struck: Struck = { recoveries: [], windows: [], notDone: new Set(), unseen: 0 }
  const known = (play.site.cluster ? clusterDisasters : disasters).filter(({ name }) => only === null || name.includes(only))
  const end = performance.now() + minutes * 60_000
  let left: Disaster[] = []
  while (performance.now() < end) {
    if (left.length === 0) left = random.shuffled(known)
    await sleep(calmMs + random.below(calmMs))
    const disaster = left.pop()
    if (disaster) await strike(play, disaster, random, struck, say)
  }
  await sleep(calmMs)
  return struck
}

/** Stops everything in dependency order, runs the final checks and returns the errors. */
async function settle(play: Play, struck: Struck, say: PlayOptions['say']): Promise<string[]> {
  const { site, cast, crowd, operator, tools, actors, subscriber, watchdog } = play
  say('stopping')
  await Promise.all([crowd.stop(), operator.stop(), ...actors.map((actor) => actor.stop())])
  say('delivering pending events')
  await subscriber.stop()
  await watchdog.stop()
  say('auditing the ledger')
  const answers = [...crowd.answers, ...tools.answers]
  const unseen = await findUnreportedCharges(site.server.pool, cast, answers)
  const unanswered = crowd.telemetry.broken + crowd.telemetry.silent + tools.unanswered
  const faults = [
    ...crowd.faults,
    ...(await audit(site.server.pool, { cast, answers, granted: operator.granted, expiresIdempotencyKeys: true, losesSums: true })),
  ]
  for (const actor of [...actors, subscriber, watchdog]) faults.push(...(await actor.check()), ...actor.faults)
  // A charge stays unreported if a process is killed between commit and response, so every unreported charge belongs to an unanswered call. There can't be more
  // unreported charges than unanswered calls.
  if (unseen.length > unanswered) faults.push(`${unseen.length} charges were never reported, but only ${unanswered} calls were unanswered: ${unseen[0]}`)
  struck.unseen = unseen.length
  for (const { disaster, ms } of struck.recoveries) if (ms === null) faults.push(`after "${disaster}", a process did not recover within a minute`)
  for (const member of site.members.all) faults.push(...member.crashes)
  const deadlocks = await site.server.deadlocks()
  if (deadlocks > 0) faults.push(`PostgreSQL reported ${deadlocks} deadlocks`)
  if (process.env['CI'] && struck.notDone.size > 0) faults.push('disks could not be mounted, so full disks were not tested')
  return faults
}

/** Describes the time since the last injected failure, such as "2.1 s after a failure". */
function sinceLast(windows: readonly Window[], at: number): string {
  const last = windows.filter(({ to }) => to <= at).at(-1)
  return last ? `${((at - last.to) / 1_000).toFixed(1)} s after a failure` : 'before any failure'
}

export async function play(site: Site, options: PlayOptions): Promise<Outcome> {
  const startedAt = new Date()
  const running = await begin(site, options)
  const struck = await strikeAll(running, options)
  const faults = await settle(running, struck, options.say)
  const { crowd, tools, importer, subscriber, actors, watchdog } = running
  const kinds = [crowd.load, ...actors.map(({ load }) => load), importer.reads, subscriber.load, watchdog.load]
  const loads = [...Map.groupBy(kinds, ({ name }) => name)].map(([name, same]) => {
    const sums = same.map((load) => load.over(struck.windows))
    const sum = (of: 'asked' | 'answered' | 'askedOutside' | 'answeredOutside') => sums.reduce((total, one) => total + one[of], 0)
    return { name, asked: sum('asked'), answered: sum('answered'), askedOutside: sum('askedOutside'), answeredOutside: sum('answeredOutside') }
  })
  for (const load of kinds)
    for (const at of load.failuresOutside(struck.windows)) options.say(`${load.name} failed outside injected failures, ${sinceLast(struck.windows, at)}`)
  const answers = [...crowd.answers, ...tools.answers]
  const figures = {
    'responses compared with the log': answers.length,
    'credits charged in those responses': answers.reduce((sum, { credits }) => sum + credits, 0),
    'calls granted': answers.filter(({ status }) => status === 200).length,
    'calls that failed with 500': answers.filter(({ status }) => status === 500).length,
    'unreported charges for calls interrupted by a kill': struck.unseen,
    'unanswered calls to /v1 and to tools': crowd.telemetry.broken + crowd.telemetry.silent + tools.unanswered,
    ...countEffects(site.members),
    'successful imports': importer.imports,
    'killed or failed imports': importer.broken,
  }
  const starts = site.members.all.map(({ name, starts: times }) => ({ name, starts: times }))
  return {
    ...options,
    isCluster: site.cluster !== null,
    startedAt,
    loads,
    recoveries: struck.recoveries,
    notDone: [...struck.notDone],
    starts,
    figures,
    faults,
  }
}
