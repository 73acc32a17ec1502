/** Imports a feed with new rates repeatedly, and kills some of the imports midway. Each import must become visible completely or not at all. */
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#server/db/prisma.ts'
import { generateMarket } from '#server/market/generate/generate-market.ts'
import { svcProgram } from '../support/programs.ts'
import { type Actor, inTime, Turns } from './actor.ts'
import { LoadKind } from './load-kind.ts'

const marked = 8
const killed = 0.3

type Product = Record<string, unknown> & { sourceKey: string; accountType: string; boostRate: string; rate: string }
type Site = { readonly pool: Database; readonly databaseUrl: string; readonly origins: readonly string[]; readonly key: string; readonly products: number }

/** Returns products of one type, few enough to fit on one page. */
function markedProducts(products: number): Product[] {
  const text = generateMarket({ products, days: 1, seed: 7 }).find(({ fileName }) => fileName === 'products.ndjson')?.text ?? ''
  const all = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Product)
  const found = all.filter(({ accountType, boostRate }) => accountType === 'easy-access' && boostRate === '0.00').slice(0, marked)
  if (found.length < 3) throw new Error('The market has too few easy-access products.')
  return found
}

export class Importer implements Actor {
  readonly load = new LoadKind('imports')
  readonly reads = new LoadKind('reads after an import')
  readonly faults: string[] = []
  imports = 0
  broken = 0
  private readonly site: Site
  private readonly products: Product[]
  private readonly turns: Turns
  private readonly file = join(tmpdir(), `svc-chaos-${process.pid}-products.ndjson`)
  private version = 0
  /** Rate of the last import if it was confirmed; null if it was killed or failed, in which case both the old and the new rate are valid. */
  private confirmedRate: string | null = null

  constructor(site: Site) {
    this.site = site
    this.products = markedProducts(site.products)
    this.turns = new Turns(() => this.next(), { pauseMs: 4_000 })
  }

  private async next(): Promise<void> {
    const rate = `${2 + (Math.floor(++this.version / 90) % 4)}.${String(10 + (this.version % 90)).padStart(2, '0')}`
    const lines = this.products.map((product) => JSON.stringify({ ...product, rate, baseRate: rate }))
    writeFileSync(this.file, `${lines.join('\n')}\n`)
    const isKilled = Math.random() < killed
    const sentAt = performance.now()
    this.confirmedRate = null
    const isTaken = await this.run(isKilled ? 300 + Math.random() * 1_500 : null)
    if (isTaken) this.imports++
    else this.broken++
    if (!isKilled) this.load.note(sentAt, isTaken)
    if (isTaken) this.confirmedRate = rate
    for (const origin of this.site.origins) await this.checkProcess(origin)
    await this.checkDatabase().catch(() => undefined)
  }

  private run(killAfterMs: number | null): Promise<boolean> {
    const env = { ...process.env, DATABASE_URL: this.site.databaseUrl }
    const child = spawn(process.execPath, [svcProgram, 'market', 'import', this.file, '--partial', '--confirm'], { env, stdio: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs ?? 30_000)
    return new Promise((resolve) =>
      child.once('exit', (code) => {
        clearTimeout(timer)
        resolve(code === 0)
      }),
    )
  }

  /** Checks that a process shows the same rate for all products. If the last import was confirmed, it must be that import's rate. */
  private async checkProcess(origin: string): Promise<void> {
    const sentAt = performance.now()
    const headers = { authorization: `Bearer ${this.site.key}` }
    const body = await inTime(async (signal) => {
      const answer = await fetch(`${origin}/v1/rates?type=easy-access&limit=50&fields=sourceKey,rate`, { headers, signal })
      return answer.status === 200 ? ((await answer.json()) as { data: { sourceKey: string; rate: string }[] }) : null
    })
    this.reads.note(sentAt, body !== null)
    if (!body) return
    const keys = new Set(this.products.map(({ sourceKey }) => sourceKey))
    this.judge(new Set(body.data.filter(({ sourceKey }) => keys.has(sourceKey)).map(({ rate }) => rate)), origin)
  }

  private judge(rates: ReadonlySet<string>, where: string): void {
    if (!this.isWhole(rates)) this.faults.push(`${where} shows a partial import: ${[...rates].join(', ')}`)
    const [rate] = rates
    if (this.confirmedRate !== null && rate !== this.confirmedRate) this.faults.push(`${where} shows ${rate} after ${this.confirmedRate} was confirmed`)
  }

  /** Returns true if all products have the same rate or, before the first import, their generated rates. */
  private isWhole(rates: ReadonlySet<string>): boolean {
    const generated = new Set(this.products.map(({ rate }) => rate))
    return rates.size === 1 || (this.imports === 0 && rates.size === generated.size && [...rates].every((rate) => generated.has(rate)))
  }

  private async checkDatabase(): Promise<void> {
    const { rows } = await this.site.pool.query<{ rate: string }>(
      "SELECT DISTINCT (rate_bp / 100.0)::numeric(6, 2)::text AS rate FROM product WHERE dataset = 'live' AND source_key = ANY ($1)",
      [this.products.map(({ sourceKey }) => sourceKey)],
    )
    const rates = new Set(rows.map(({ rate }) => rate))
    if (!this.isWhole(rates)) this.faults.push(`the database has a partial import: ${[...rates].join(', ')}`)
  }

  async stop(): Promise<void> {
    await this.turns.stop()
    rmSync(this.file, { force: true })
  }

  async check(): Promise<string[]> {
    await this.checkDatabase()
    return this.imports === 0 ? ['no import succeeded'] : []
  }
}
