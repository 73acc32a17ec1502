import type { z } from 'zod'
import type { Endpoint } from '#server/api/contract/endpoint.ts'
import type { FileName } from '#server/market/daily-files/daily-file.ts'
import type { Context } from '../define.ts'
import { listSwitchOffers } from '../offers/list-switch-offers.endpoint.ts'
import { SwitchOfferRecord } from '../offers/offer-records.ts'
import { listProviders } from '../providers/list-providers.endpoint.ts'
import { ProviderRecord } from '../providers/provider-record.ts'
import { listRates } from '../rates/list-rates.endpoint.ts'
import { SavingsProduct } from '../rates/savings-product.ts'

/** List that is published as a file each day. */
export type SnapshotList = {
  readonly name: FileName
  /** Path of the file. */
  readonly path: `/snapshots/${FileName}`
  /** Endpoint that lists the same rows. */
  readonly endpoint: Endpoint<Context>
  readonly row: z.ZodObject
  /** Fields of the rows in the file. */
  readonly fields: readonly string[]
}

function toList(name: FileName, endpoint: Endpoint<Context>, row: z.ZodObject): SnapshotList {
  return { name, path: `/snapshots/${name}`, endpoint, row, fields: endpoint.fields.filter((field) => !endpoint.fieldPlans.has(field)) }
}

/** Lists that are published as files, in the order of the list of snapshots. */
export const snapshotLists: readonly SnapshotList[] = [
  toList('rates', listRates, SavingsProduct),
  toList('providers', listProviders, ProviderRecord),
  toList('switch-offers', listSwitchOffers, SwitchOfferRecord),
]
