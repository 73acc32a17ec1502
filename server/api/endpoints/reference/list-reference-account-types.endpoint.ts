import { z } from 'zod'
import { accountTypes, accountTypeValues } from '#server/api/contract/account-types.ts'
import { defineWhole } from '../define.ts'

export const listReferenceAccountTypes = defineWhole({
  id: 'reference.account-types',
  no: 10,
  path: '/reference/account-types',
  tool: 'reference_account_types',
  summary: 'List the account types.',
  when: 'to find the values of `type` and their meaning.',
  scope: 'rates:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  row: z.object({
    value: z.enum(accountTypeValues).describe('Value of the `type` parameter.'),
    label: z.string().describe('Display label, as in accountType.'),
    description: z.string().describe('Description of the account type, one sentence.'),
  }),
  handle: () => accountTypeValues.map((value) => ({ value, ...accountTypes[value] })),
})
