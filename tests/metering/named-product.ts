import type { Database } from '#server/db/prisma.ts'

export const sourceKey = 'next-request-saver'

/** Builds a feed that contains one product. The first feed adds the product, and each later one renames it. */
export async function namedProduct(pool: Database, accountName: string): Promise<string> {
  const { rows } = await pool.query<{ slug: string }>("SELECT slug FROM provider WHERE dataset = 'live' AND active ORDER BY 1 LIMIT 1")
  const rates = { rate: '4.10', baseRate: '4.10', boostRate: '0.00', boostDuration: null, interestPaid: 'Annually', interestType: 'Variable', access: 'Online' }
  const bounds = { minBalance: 1, maxBalance: null, maxMonthlyDeposit: null, termMonths: null, noticeDays: null, newCustomersOnly: false }
  const rest = { fscsDetails: 'Protected up to £120,000.', url: 'https://bank.example.test/savings' }
  const product = { kind: 'product', sourceKey, providerSlug: rows[0]?.slug, accountName, accountType: 'easy-access', ...rates, ...bounds, ...rest }
  return `${JSON.stringify(product)}\n`
}
