/**
 * npm run bench -- [--quick] [--calm] [--only lean/]
 * npm run bench -- filters [--quick]
 * npm run bench -- import [--quick] [--products 20000] [--days 6000]
 * npm run bench -- webhooks
 */
import { benchmark as calls } from './calls.ts'
import { benchmark as filters } from './filters.ts'
import { benchmark as imports } from './import.ts'
import { benchmark as webhooks } from './webhooks.ts'

const benchmarks = { calls, filters, import: imports, webhooks }

async function main(args: readonly string[], signal: AbortSignal): Promise<void> {
  const [name = 'calls', ...options] = args[0]?.startsWith('-') === false ? args : ['calls', ...args]
  if (!Object.hasOwn(benchmarks, name)) throw new Error(`Unknown benchmark "${name}". Choose one of: ${Object.keys(benchmarks).join(', ')}.`)
  await benchmarks[name as keyof typeof benchmarks](options, signal)
}

const interrupted = new AbortController()
const interrupt = () => interrupted.abort(new Error('Benchmark interrupted.'))
process.once('SIGINT', interrupt)
process.once('SIGTERM', interrupt)

await main(process.argv.slice(2), interrupted.signal).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
