import { isoDay } from '#server/api/contract/dates.ts'
import type { Transaction } from '#server/db/prisma.ts'
import { later } from './changes-query.ts'
import { type Interner, toOffer, toPlain, toProduct, toProvider } from './market-rows.ts'
import type { SwitchOffer } from './offers.ts'
import type { Dataset, Product } from './product.ts'
import type { Provider } from './provider.ts'
import type { Withdrawn } from './withdrawn.ts'

/** Maximum number of rows of each kind. No import accepts more records. */
const maxRows = 500_000

/** Upper bound on clock skew. Imports by earlier releases recorded the time of a process, whose clock may be ahead of the database's by less than this. */
const maxClockLeadMs = 3_600_000

/**
 * Returns the time of the newest change in a dataset; null if there is none. Every later change gets a later `updatedAt`, because imports run one at a time and
 * take their time from the database.
 */
export async function readChangedAt(tx: Transaction, dataset: Dataset): Promise<string | null> {
  const { _max: last } = await tx.marketImport.aggregate({ where: { dataset }, _max: { changedAt: true, at: true } })
  const changedAt = last.changedAt ?? (last.at && new Date(last.at.getTime() - maxClockLeadMs))
  return changedAt?.toISOString() ?? null
}

/** Latest launch of a product: its date, and the time of its detection. */
type Launch = { readonly on: string; readonly at: string }

/** Reads the latest launch of each product, from the index `rate_change_launched_idx` alone. */
export async function readLaunches(tx: Transaction, dataset: Dataset): Promise<ReadonlyMap<string, Launch>> {
  const max = { effectiveDate: true, detectedAt: true } as const
  const groups = await tx.rateChange.groupBy({ by: ['sourceKey'], where: { dataset, direction: 'launched' }, _max: max })
  return new Map(
    groups.flatMap(({ sourceKey, _max: { effectiveDate, detectedAt } }) =>
      effectiveDate === null || detectedAt === null ? [] : [[sourceKey, { on: isoDay(effectiveDate), at: detectedAt.toISOString() }]],
    ),
  )
}

/** Adds the launch to a listed product. A product that is listed again because its provider became active again changes at that time, although its row doesn't. */
export function toListed(product: Product, launch: Launch | undefined): Product {
  if (launch === undefined) return product
  return Object.assign(product, { listedSince: launch.on, updatedAt: later(launch.at, product.updatedAt) })
}

type Sources = {
  readonly dataset: Dataset
  /** Oldest withdrawal that is read. */
  readonly since: Date
  /** Active providers by slug. */
  readonly providers: ReadonlyMap<string, Provider>
  readonly launches: ReadonlyMap<string, Launch>
  readonly interner: Interner
}

/** Marks a row as withdrawn. A withdrawal is a change, even if only the provider's row records it. */
const asWithdrawn = <Row extends { readonly updatedAt: string }>(row: Row, withdrawnAt: string): Row =>
  Object.assign(row, { withdrawnAt, updatedAt: later(withdrawnAt, row.updatedAt) })

/** Reads the products that are no longer listed: withdrawn ones, and those of inactive providers. */
async function readWithdrawnProducts(tx: Transaction, { dataset, since, launches, interner }: Sources): Promise<Product[]> {
  const inactive = { active: false, updatedAt: { gte: since } }
  const rows = await tx.product.findMany({
    where: { dataset, OR: [{ withdrawnAt: { gte: since } }, { withdrawnAt: null, provider: inactive }] },
    omit: { dataset: true },
    include: { provider: true },
    take: maxRows,
  })
  return rows.map(({ provider, withdrawnAt, ...row }) => {
    const at = (withdrawnAt ?? provider.updatedAt).toISOString()
    const shown = toProvider(toPlain(provider, interner))
    return asWithdrawn(toProduct(toPlain(row, interner), shown, launches.get(row.sourceKey)?.on ?? null), at)
  })
}

/** Reads the rows withdrawn since a time. */
export async function readWithdrawn(tx: Transaction, sources: Sources): Promise<Withdrawn> {
  const { dataset, since, providers, interner } = sources
  const inactive = await tx.provider.findMany({ where: { dataset, active: false, updatedAt: { gte: since } }, take: maxRows })
  const offers = await tx.switchOffer.findMany({ where: { dataset, withdrawnAt: { gte: since } }, take: maxRows })
  return {
    products: await readWithdrawnProducts(tx, sources),
    providers: inactive.map((row) => {
      const provider = toProvider(toPlain(row, interner))
      return asWithdrawn(provider, provider.updatedAt)
    }),
    switchOffers: offers.map((row) => {
      const withdrawnAt = (row.withdrawnAt ?? row.updatedAt).toISOString()
      const issuer = row.providerSlug === null ? undefined : providers.get(row.providerSlug)
      return asWithdrawn(toOffer<SwitchOffer>(toPlain(row, interner), issuer), withdrawnAt)
    }),
  }
}
