import { z } from 'zod'
import { defineFile } from '../define.ts'
import { ProviderRecord } from '../providers/provider-record.ts'
import { getSnapshot, snapshotCredits, snapshotDescription, snapshotParameters, snapshotTimeoutMs } from './snapshot-file.ts'

export const getProvidersSnapshot = defineFile({
  id: 'snapshots.providers',
  no: 52,
  path: '/snapshots/providers',
  summary: 'Download all providers for a given day.',
  description: snapshotDescription,
  when: 'to start a copy of the provider directory.',
  scope: 'providers:read',
  price: { credits: snapshotCredits.providers, per: 'request' },
  live: 'open',
  sampled: true,
  buildTimeoutMs: snapshotTimeoutMs,
  input: z.object(snapshotParameters),
  row: ProviderRecord,
  handle: ({ day }, { market }) => getSnapshot(market.files, 'providers', day),
})
