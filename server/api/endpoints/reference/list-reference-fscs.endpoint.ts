import { z } from 'zod'
import { fscsBrands, slugsByBrand } from '#server/market/reference/fscs.ts'
import { defineWhole } from '../define.ts'

const FscsBrand = z.object({
  brand: z.string().describe('Brand name.'),
  legalName: z.string().describe('Firm that holds the deposits.'),
  frn: z.string().nullable().describe('FCA firm reference number; null if not verified.'),
  scheme: z.string().describe('Protection scheme.'),
  country: z.string().describe('Country of the firm.'),
  owner: z.string().describe('Owner of the firm.'),
  ownerCountry: z.string().describe('Country of the owner.'),
  sharesLicenceWith: z.array(z.string()).describe('Other brands on the same licence, which share one limit.'),
  licenceGroup: z.string().describe('Brands with the same value share one limit.'),
  isBank: z.boolean().describe('False for platforms and e-money firms.'),
  limit: z.number().nullable().describe('Protection limit per person in limitCurrency; null if unlimited or dependent on a partner bank; 0 if unprotected.'),
  limitCurrency: z.string().describe('ISO 4217 code.'),
  fscsLimit: z
    .number()
    .describe('FSCS limit per person and licence, GBP; the same on every row. It applies only if fscsProtected is true; `limit` is the limit of this brand.'),
  fscsJointLimit: z.number().describe('FSCS limit for a joint account of two people, GBP.'),
  temporaryHighBalanceLimit: z.number().describe('FSCS limit for a temporary high balance, GBP.'),
  temporaryHighBalanceMonths: z.number().describe('Number of months for which a temporary high balance is covered.'),
  providerSlug: z.string().nullable().describe('Slug of the brand in the rates data; null if it is not a provider there.'),
  verifiedOn: z.iso.date().describe('Date on which this list was last verified.'),
  confidence: z.string().describe('Confidence in the row: high or medium.'),
  note: z.string().nullable().describe('Additional note, one sentence; null if there is none.'),
  fscsProtected: z
    .boolean()
    .describe('True if the FSCS protects deposits with this brand itself. False for e-money firms, platforms, NS&I and foreign schemes.'),
})

export const listReferenceFscs = defineWhole({
  id: 'reference.fscs',
  no: 11,
  path: '/reference/fscs',
  tool: 'reference_fscs',
  summary: 'List deposit protection limits and the brands that share them.',
  when: 'to check how much is protected, or which brands share one limit, before splitting money between banks.',
  scope: 'providers:read',
  price: { credits: 1, per: 'request' },
  live: 'open',
  row: FscsBrand,
  handle: (_input, { market }) => {
    const slugs = slugsByBrand(market.providers())
    return fscsBrands.map((row) => ({ ...row, sharesLicenceWith: [...row.sharesLicenceWith], providerSlug: slugs.get(row.brand) ?? null }))
  },
})
