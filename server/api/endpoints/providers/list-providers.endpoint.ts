import { z } from 'zod'
import { changeParameters, getUpdatedUntil, toChanges } from '../changes.ts'
import { defineList } from '../define.ts'
import { afterText, textKey } from '../list-cursor.ts'
import { ProviderRecord, toProvider } from './provider-record.ts'

export const listProviders = defineList({
  id: 'providers.list',
  no: 15,
  path: '/providers',
  tool: 'providers',
  summary: 'List providers by name, with product counts and shared licences.',
  description: 'Charged per row, not per page.',
  when: 'to compare banks and building societies rather than their products.',
  scope: 'providers:read',
  price: { credits: 1, per: 'row' },
  live: 'open',
  sampled: true,
  input: z.object(changeParameters),
  row: ProviderRecord,
  getKey: ({ slug, name }) => `${slug} ${name}`,
  handle: (input, page, context) => {
    const { market } = context
    const after = afterText(page.after)
    const { rows, keys, more } = market.directory(after, page.limit, toChanges(input, market))
    const updatedUntil = getUpdatedUntil(after, market.changedAt)
    return { rows: rows.map((entry) => toProvider(entry, context)), keys: keys.map((key) => textKey({ ...key, updatedUntil })), more, updatedUntil }
  },
})
