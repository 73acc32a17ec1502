/**
 * npm run chaos -- [--minutes N] [--seed S] [--clients N] [--only TEXT] [--citus]
 * Runs all kinds of load against four processes on a separate PostgreSQL server and injects one failure after another; --only selects failures by name. With
 * --citus, the server is a Citus cluster, with other failures. Prints a report, writes it to results.md or results-citus.md if the run lasted ten minutes or
 * more, and exits with code 1 if it found errors.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type PlayOptions, play } from './play.ts'
import { getReport } from './report.ts'
import { openSite } from './site.ts'

const keptFromMinutes = 10

function readOptions(): Omit<PlayOptions, 'say'> & { readonly isCluster: boolean } {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: '20261122' },
      clients: { type: 'string', default: '24' },
      only: { type: 'string' },
      citus: { type: 'boolean', default: false },
    },
  })
  const [minutes, seed, clients] = [values.minutes, values.seed, values.clients].map(Number) as [number, number, number]
  if (!(minutes > 0 && Number.isInteger(seed) && Number.isInteger(clients) && clients > 0)) {
    throw new Error('Usage: npm run chaos -- [--minutes N] [--seed S] [--clients N] [--only TEXT] [--citus]')
  }
  return { minutes, seed, clients, only: values.only ?? null, isCluster: values.citus }
}

/** Seeds Math.random, so that a run is as reproducible as it can be with several processes. */
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
  await using site = await openSite(options.isCluster)
  const outcome = await play(site, { ...options, say })
  const report = getReport(outcome)
  console.log(`\n${report}`)
  if (options.minutes >= keptFromMinutes && options.only === null)
    writeFileSync(new URL(outcome.isCluster ? 'results-citus.md' : 'results.md', import.meta.url), report)
  return outcome.faults.length === 0
}

process.exitCode = (await main()) ? 0 : 1
