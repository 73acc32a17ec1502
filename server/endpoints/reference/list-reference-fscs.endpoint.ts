import { z } from 'zod'
import { perRequest } from '../../contract/prices.ts'
import { slugsByBrand } from '../../market/reference/brand-providers.ts'
import { fscsBrands } from '../../market/reference/fscs.ts'
import { defineWhole } from '../define.ts'

const FscsBrand = z.object({
  brand: z.string().describe('Name that customers know.'),
  legalName: z.string().describe('Firm that holds the deposits.'),
  frn: z.string().nullable().describe('FCA firm reference number; null when not verified.'),
  scheme: z.string().describe('Protection scheme.'),
  country: z.string().describe('Country of the firm.'),
  owner: z.string().describe('Who owns the firm.'),
  ownerCountry: z.string().describe('Country of the owner.'),
  sharesLicenceWith: z.array(z.string()).describe('The other brands on the same licence: they share one limit.'),
  licenceGroup: z.string().describe('Brands with the same value share one limit.'),
  isBank: z.boolean().describe('False for platforms and e-money firms.'),
  limit: z
    .number()
    .nullable()
    .describe('Covered for each person in limitCurrency; null without a limit or when it depends on a partner bank; 0 without protection.'),
  limitCurrency: z.string().describe('ISO 4217 code.'),
  fscsLimit: z.number().describe('FSCS limit for each person and licence, GBP.'),
  fscsJointLimit: z.number().describe('FSCS limit of a joint account of two, GBP.'),
  temporaryHighBalanceLimit: z.number().describe('FSCS limit of a temporary high balance, GBP.'),
  temporaryHighBalanceMonths: z.number().describe('Months for which a temporary high balance is covered.'),
  providerSlug: z.string().nullable().describe('Slug in the rates data, or null when the brand has no provider there.'),
  verifiedOn: z.iso.date().describe('Day of the newest evidence behind this list.'),
  confidence: z.string().describe('How well the row is supported: high or medium.'),
  note: z.string().nullable().describe('What else to know, in a sentence; null when there is nothing.'),
})

export const listReferenceFscs = defineWhole({
  id: 'reference.fscs',
  no: 11,
  path: '/reference/fscs',
  tool: 'reference_fscs',
  summary: 'List which brands share one deposit protection limit, and the limits.',
  when: 'to tell how much is protected where, or which brands share one limit, before money is split between banks.',
  scope: 'providers:read',
  price: perRequest(1),
  live: 'open',
  input: z.object({}),
  row: FscsBrand,
  handle: (_input, { market }) => {
    const slugs = slugsByBrand(market.providers())
    return fscsBrands.map((row) => ({ ...row, sharesLicenceWith: [...row.sharesLicenceWith], providerSlug: slugs.get(row.brand) ?? null }))
  },
})
