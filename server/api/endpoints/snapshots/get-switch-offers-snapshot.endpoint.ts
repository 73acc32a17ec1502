import { z } from 'zod'
import { defineFile } from '../define.ts'
import { SwitchOfferRecord } from '../offers/offer-records.ts'
import { getSnapshot, snapshotCredits, snapshotDescription, snapshotParameters, snapshotTimeoutMs } from './snapshot-file.ts'

export const getSwitchOffersSnapshot = defineFile({
  id: 'snapshots.switch-offers',
  no: 53,
  path: '/snapshots/switch-offers',
  summary: 'Download all switch offers for a given day.',
  description: snapshotDescription,
  when: 'to start a copy of the switch offers.',
  scope: 'offers:read',
  price: { credits: snapshotCredits['switch-offers'], per: 'request' },
  live: 'open',
  sampled: true,
  buildTimeoutMs: snapshotTimeoutMs,
  input: z.object(snapshotParameters),
  row: SwitchOfferRecord,
  handle: ({ day }, { market }) => getSnapshot(market.files, 'switch-offers', day),
})
