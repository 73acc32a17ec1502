import { z } from 'zod'
import { UsageRow, usageDays } from '#server/api/contract/own-account.ts'
import { queryDay, queryId } from '#server/api/contract/query.ts'
import { defineList } from '../define.ts'

export const listUsage = defineList({
  id: 'usage.list',
  no: 60,
  path: '/usage',
  tool: '',
  summary: 'List calls and credits by day, key, endpoint and status.',
  description:
    'Days are in UTC, oldest first. Without the scope `account:manage`, only the usage of the calling key is listed; with it, the usage of every key of the account. The figures match the usage page of the portal and its CSV file. Calls made in the last few seconds may not be included yet.',
  scope: 'any-key',
  price: { credits: 0, per: 'request' },
  live: 'open',
  shared: false,
  input: z.object({
    from: queryDay.optional().describe(`First UTC day, inclusive. Defaults to ${usageDays.usual - 1} days before \`to\`.`),
    to: queryDay.optional().describe(`Last UTC day, inclusive. Defaults to today. At most ${usageDays.most} days are listed at a time.`),
    key: queryId('key').optional().describe('Only the usage of the key with this ID (`key.id` in /me).'),
  }),
  row: UsageRow,
  // The cursor also contains the number of the endpoint, which is not in the rows.
  getKey: () => '',
  handle: (filter, page, { own }) => own().usage(filter, page),
})
