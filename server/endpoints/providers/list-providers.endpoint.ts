import { z } from 'zod'
import { perRow } from '../../contract/prices.ts'
import type { NameKey } from '../../market/provider-directory.ts'
import { defineList } from '../define.ts'
import { ProviderRecord, toProvider } from './provider-record.ts'

/** The place that a cursor continues after. A slug has no space, a name may have many. */
function nameAfter(key: string | null): NameKey | null {
  if (key === null) return null
  const space = key.indexOf(' ')
  return { slug: key.slice(0, space), name: key.slice(space + 1) }
}

export const listProviders = defineList({
  id: 'providers.list',
  no: 15,
  path: '/providers',
  tool: 'providers',
  summary: 'List providers by name, with what they offer and who shares their licence.',
  description: 'Charged for each row returned, not for each page.',
  when: 'to compare banks and building societies themselves rather than their products.',
  scope: 'providers:read',
  price: perRow(1),
  live: 'open',
  sampled: true,
  input: z.object({}),
  row: ProviderRecord,
  keyOf: ({ slug, name }) => `${slug} ${name}`,
  handle: (_input, { limit, after }, context) => {
    const { rows, more } = context.market.directory(nameAfter(after), limit)
    return { rows: rows.map((entry) => toProvider(entry, context)), more }
  },
})
