import { z } from 'zod'
import { defineItem } from '../define.ts'
import { orNull } from '../record-fields.ts'
import { marketAsOf, percent } from './statistic-fields.ts'

const HeroStats = z.object({
  productsTracked: z.int().describe('Number of listed savings products.'),
  providersTracked: z.int().describe('Number of active providers, including those without savings products.'),
  topRate: percent.nullable().describe('Best rate in the market, AER in percent with two decimals; null if there are no products.'),
  topRateProvider: z.string().nullable().describe('Display name of the provider with that rate; for equal rates, the one listed first on /rates.'),
  updatesToday: z.int().describe("Number of rate changes, launches and withdrawals today (UK time): today's rows on /history."),
  asOf: marketAsOf,
})

export const getHeroStats = defineItem({
  id: 'market.hero-stats',
  no: 28,
  path: '/market/hero-stats',
  tool: 'market_hero_stats',
  summary: 'Get headline market figures.',
  when: 'to get headline figures for the whole market in one call.',
  scope: 'market:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
  sampled: true,
  output: HeroStats,
  handle: (_input, { market: { figures } }) => {
    const { productCount, providerCount, topProviders } = figures.overview()
    const best = topProviders[0]?.best
    return {
      productsTracked: productCount,
      providersTracked: providerCount,
      topRate: orNull(best?.rateBp ?? null),
      topRateProvider: best?.provider ?? null,
      updatesToday: figures.updatesToday(),
      asOf: figures.asOf,
    }
  },
})
