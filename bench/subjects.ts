import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pages, type ServerName } from './cases.ts'
import type { BenchDatabase } from './database.ts'
import { httpCall, newestToolCall, toolCall } from './load/requests.ts'
import type { Subject, Subjects } from './measure.ts'
import { type Running, startOurs, startRival } from './processes.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds the bare Next application if it is missing or older than its source. @throws if the build fails. */
function buildNextBare(): void {
  const built = at('next-bare/.next/BUILD_ID')
  const sources = [at('next-bare/app/v1/rates/route.ts'), at('next-bare/next.config.mjs'), at('../node_modules/next/package.json')]
  if (existsSync(built) && sources.every((source) => statSync(source).mtimeMs < statSync(built).mtimeMs)) return
  const next = at('../node_modules/next/dist/bin/next')
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }
  const build = spawnSync(process.execPath, [next, 'build', at('next-bare')], { env, encoding: 'utf8' })
  if (build.status !== 0) throw new Error(`Failed to build the bare Next application:\n${build.stdout}${build.stderr}`)
}

export type Started = {
  readonly subjects: Subjects
  /** Reason why each missing server could not be started. */
  readonly missing: ReadonlyMap<ServerName, string>
}

type Parts = {
  readonly database: BenchDatabase
  readonly bodyFile: string
  readonly keys: Subject['keys']
  readonly cleanUp: AsyncDisposableStack
}

/** Starts every available server. They run until `cleanUp` is disposed; idle ones use no CPU time. */
export async function startSubjects({ database, bodyFile, keys, cleanUp }: Parts): Promise<Started> {
  const subjects = new Map<ServerName, Subject>()
  const missing = new Map<ServerName, string>()
  const add = (name: ServerName, running: Running, of: BenchDatabase | null) => {
    cleanUp.defer(() => running.stop())
    subjects.set(name, { running, request: httpCall, keys, database: of })
  }
  const free = (name: ServerName, running: Running) => add(name, running, null)
  const metered = (name: ServerName, running: Running) => add(name, running, database)
  buildNextBare()
  free('bare', await startRival('bare.ts', { BENCH_BODY: bodyFile }))
  free('nextBare', await startRival('next-bare.ts', { BENCH_BODY: bodyFile }))
  metered('textbook', await startRival('textbook.ts', { BENCH_BODY: bodyFile, DATABASE_URL: database.url }))
  const lean = await startOurs(database, 'gateway')
  metered('lean', lean)
  // The same process as `lean`, called as an MCP server.
  subjects.set('leanTool', { running: lean, request: toolCall, keys, database })
  subjects.set('leanNewestTool', { running: lean, request: newestToolCall, keys, database })
  if (existsSync(at('../.next/BUILD_ID'))) {
    const portal = await startOurs(database, 'portal')
    metered('nextMount', portal)
    for (const name of Object.keys(pages) as (keyof typeof pages)[]) {
      const toPage = (query: string) => ({ path: pages[name] + query, headers: ['Accept-Encoding: br'], body: null })
      subjects.set(`${name}Page`, { running: portal, request: toPage(''), keys, database: null })
      // With an unknown parameter, a page is not stored.
      subjects.set(`${name}Rendered`, { running: portal, request: toPage('?rendered=1'), keys, database: null })
    }
  } else missing.set('nextMount', 'the project is not built: node scripts/setup.mjs --build')
  return { subjects, missing }
}
