import { z } from 'zod'
import { accountTypes, accountTypeValues } from '../../contract/account-types.ts'
import { perRequest } from '../../contract/prices.ts'
import { defineWhole } from '../define.ts'

export const listReferenceAccountTypes = defineWhole({
  id: 'reference.account-types',
  no: 10,
  path: '/reference/account-types',
  tool: 'reference_account_types',
  summary: 'List the account types that can be filtered by.',
  when: 'to find the values that `type` takes and what they mean.',
  scope: 'rates:read',
  price: perRequest(1),
  live: 'open',
  input: z.object({}),
  row: z.object({
    value: z.enum(accountTypeValues).describe('What the parameter "type" accepts.'),
    label: z.string().describe('What products show in accountType.'),
    description: z.string().describe('What accounts of the type are, in a sentence.'),
  }),
  handle: () => accountTypeValues.map((value) => ({ value, ...accountTypes[value] })),
})
