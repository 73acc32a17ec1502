import type { Product } from '#server/market/product.ts'

/** Returns a product with the given fields, and defaults for the rest. The base rate is the rate minus the bonus. */
export function makeProduct(facts: Partial<Product> & Pick<Product, 'sourceKey'>): Product {
  const { rateBp = 400, boostRateBp = 0 } = facts
  return {
    provider: 'Harrow Vale Bank',
    providerSlug: 'harrow-vale',
    providerLogoPath: null,
    accountName: 'Easy Access Saver',
    accountType: 'easy-access',
    rateBp,
    baseRateBp: rateBp - boostRateBp,
    boostRateBp,
    boostDuration: boostRateBp > 0 ? '12 months' : null,
    interestPaid: 'Annually',
    interestType: 'Variable',
    access: 'Withdraw at any time',
    minBalancePence: 100,
    maxBalancePence: 8_500_000,
    maxMonthlyDepositPence: null,
    termMonths: null,
    noticeDays: null,
    withdrawalsPerYear: null,
    maturityDate: null,
    listedSince: '2026-11-21',
    fscsDetails: 'Demonstration provider: an FSCS-protected bank would cover up to £120,000 per person.',
    newCustomersOnly: false,
    url: 'https://harrow-vale.example/savings',
    urlCheckedAt: '2026-11-21T06:00:00.000Z',
    createdAt: '2026-11-21T06:00:00.000Z',
    updatedAt: '2026-11-21T06:00:00.000Z',
    ...facts,
  }
}
