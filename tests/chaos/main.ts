/**
 * npm run chaos -- [--minutes N] [--seed S] [--clients N] [--only WORDS]
 * Everything at once against 4 processes on a PostgreSQL of their own, while one disaster follows the other; --only names those that are wanted. Prints a report,
 * keeps that of a run of 10 minutes or more in results.md, and ends with exit code 1 when anything was wrong.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type PlayOptions, play } from './play.ts'
import { getReport } from './report.ts'
import { openSite } from './site.ts'

const keptFromMinutes = 10

function readOptions(): Omit<PlayOptions, 'say'> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: '20261122' },
      clients: { type: 'string', default: '24' },
      only: { type: 'string' },
    },
  })
  const [minutes, seed, clients] = [values.minutes, values.seed, values.clients].map(Number) as [number, number, number]
  if (!(minutes > 0 && Number.isInteger(seed) && Number.isInteger(clients) && clients > 0)) {
    throw new Error('Use: npm run chaos -- [--minutes N] [--seed S] [--clients N] [--only WORDS]')
  }
  return { minutes, seed, clients, only: values.only ?? null }
}

/** The randomness of a run comes from its seed, as far as a run of many processes can be repeated. */
function seedRandom(seed: number): void {
  let state = seed >>> 0
  Math.random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

async function main(): Promise<boolean> {
  const options = readOptions()
  seedRandom(options.seed)
  const started = performance.now()
  const say = (line: string) => console.log(`${((performance.now() - started) / 1_000).toFixed(0).padStart(4)} s  ${line}`)
  say('starting')
  await using site = await openSite()
  const outcome = await play(site, { ...options, say })
  const report = getReport(outcome)
  console.log(`\n${report}`)
  if (options.minutes >= keptFromMinutes && options.only === null) writeFileSync(new URL('results.md', import.meta.url), report)
  return outcome.faults.length === 0
}

process.exitCode = (await main()) ? 0 : 1
