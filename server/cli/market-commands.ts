import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { clock } from '#server/clock.ts'
import { readEnv } from '#server/env.ts'
import { marketFeeds } from '#server/market/generate/generate-market.ts'
import { marketDay } from '#server/market/generate/market-day.ts'
import { feedJsonSchema } from '#server/market/import/feed-json-schema.ts'
import { type FeedKind, feedKinds } from '#server/market/import/feed-kind.ts'
import { type ConfiguredSource, readMarketSources } from '#server/market/sources/sources.ts'
import { type Freshness, getFreshness, type RefreshProgress, type RefreshReport, refreshNow } from '#server/market/statistics/refresh.ts'
import { isoDay, oneOf, type SvcCommand, wholeNumber } from './context.ts'
import { addImportCommand } from './market-import.ts'
import { progressLine, writeText } from './output.ts'

/** Result of fetching a source, and how recent its data is. */
type SourceLine = RefreshReport & Freshness

/**
 * Returns the configured sources. If `named` is given, returns only the configured source with that name or, if there is none, the source parsed from `named`.
 */
function chosen(named: string | undefined): readonly ConfiguredSource[] {
  const { marketSources } = readEnv()
  if (named === undefined) return marketSources
  const configured = marketSources.filter(({ source }) => source.name === named)
  if (configured.length > 0) return configured
  try {
    return readMarketSources(named)
  } catch (fault) {
    throw new Error(`--source ${fault instanceof Error ? fault.message : String(fault)}`)
  }
}

function describe(report: RefreshReport): string {
  if (report.outcome === 'failed') return `failed. ${report.error}`
  if (report.outcome === 'unchanged') return 'unchanged since the last fetch.'
  return `${report.values} rows, ${report.changed} new or changed.`
}

const getAge = ({ asOf, stale }: Freshness) => (asOf === null ? 'No data.' : `As of ${asOf}${stale ? ' (stale)' : ''}.`)

const getLine = (line: SourceLine) => `${line.source}: ${describe(line)} ${getAge(line)}`

async function refresh(options: { source?: string; confirm?: true }, command: SvcCommand): Promise<void> {
  // Only one reviewed feed can be confirmed at a time.
  if (options.confirm && options.source === undefined) throw new Error('--confirm applies to a single feed. Pass --source.')
  const sources = chosen(options.source)
  await command.run(async ({ pool }) => {
    if (sources.length === 0) return { result: { sources: [] }, lines: ['MARKET_SOURCES is empty, so nothing was fetched. Pass --source.'] }
    const { say, end } = progressLine()
    const onProgress = ({ source, ...step }: RefreshProgress) => say({ name: source, ...step })
    const asked = { contact: readEnv().publicUrl, now: () => clock.now(), confirm: options.confirm, onProgress }
    const reports = await refreshNow(pool, sources, asked).finally(end)
    if (reports === undefined) throw new Error('Another process is already fetching the sources. Try again when it has finished.')
    const fresh = await getFreshness(pool, sources, clock.now())
    const lines: SourceLine[] = reports.map((report) => ({ ...report, ...(fresh.get(report.source) ?? { asOf: null, stale: true }) }))
    return { result: { sources: lines }, lines: lines.map(getLine), failed: lines.some(({ outcome }) => outcome === 'failed') }
  })
}

function schema(kind: FeedKind | undefined, command: SvcCommand): Promise<void> {
  const document = kind === undefined ? Object.fromEntries(feedKinds.map((one) => [one, feedJsonSchema(one)])) : feedJsonSchema(kind)
  return writeText(`${JSON.stringify(document, null, command.isJson ? undefined : 2)}\n`)
}

/** Adds the commands for market data sources. */
function addMarketSourceCommands(market: SvcCommand): void {
  market
    .sub('schema', 'print the JSON Schema of a feed line, for all kinds of feed or one')
    .argument('[kind]', feedKinds.join(', '), oneOf(feedKinds))
    .action((kind: FeedKind | undefined, _options: object, command: SvcCommand) => schema(kind, command))
  market
    .sub('refresh', 'fetch the sources of MARKET_SOURCES now')
    .option('--source <name>', 'fetch only this source')
    .option('--confirm', 'apply the --source feed even if it has an unusually large number of changes')
    .action(refresh)
}

type Generate = { products: number; days: number; until: string; seed: number; out: string }

export function addMarketCommands(program: SvcCommand): void {
  const market = program.sub('market', 'manage market data')
  addImportCommand(market)
  market
    .sub('generate', 'generate feeds of a demonstration market with fictional providers')
    .option('--products <n>', 'number of products', wholeNumber(1), 1_500)
    .option('--days <n>', 'days of history', wholeNumber(0, 6_900), 730)
    .option('--until <date>', 'last date of the history', isoDay, marketDay)
    .option('--seed <n>', 'random seed; the same seed gives the same market', wholeNumber(0), 2026)
    .requiredOption('--out <folder>', 'output folder')
    .action(async (options: Generate, command: SvcCommand) => {
      const files = marketFeeds(options)
      await mkdir(options.out, { recursive: true })
      const written: string[] = []
      for (const file of files) {
        const path = join(options.out, file.fileName)
        await pipeline(Readable.from(file.pieces), createWriteStream(path))
        written.push(path)
      }
      command.write({ result: { files: written }, lines: written })
    })
  addMarketSourceCommands(market)
}
