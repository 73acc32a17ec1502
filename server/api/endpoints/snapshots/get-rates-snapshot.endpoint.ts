import { z } from 'zod'
import { defineFile } from '../define.ts'
import { SavingsProduct } from '../rates/savings-product.ts'
import { getSnapshot, snapshotCredits, snapshotDescription, snapshotParameters, snapshotTimeoutMs } from './snapshot-file.ts'

export const getRatesSnapshot = defineFile({
  id: 'snapshots.rates',
  no: 51,
  path: '/snapshots/rates',
  summary: 'Download all savings products for a given day.',
  description: snapshotDescription,
  when: 'to start a copy of the whole market, or to keep daily copies.',
  scope: 'rates:read',
  price: { credits: snapshotCredits.rates, per: 'request' },
  live: 'open',
  sampled: true,
  buildTimeoutMs: snapshotTimeoutMs,
  input: z.object(snapshotParameters),
  row: SavingsProduct,
  handle: ({ day }, { market }) => getSnapshot(market.files, 'rates', day),
})
