import { AccountSummary } from '#server/api/contract/account-summary.ts'
import { defineItem } from '../define.ts'

export const me = defineItem({
  id: 'service.me',
  no: 2,
  path: '/me',
  tool: 'me',
  summary: 'Get the account, its balance, limits and usage, and the endpoints this key can call.',
  when: 'to check the balance, the limits and the available endpoints before making paid calls.',
  scope: 'any-key',
  price: { credits: 0, per: 'request' },
  live: 'open',
  shared: false,
  output: AccountSummary,
  handle: (_input, { account }) => account(),
})
