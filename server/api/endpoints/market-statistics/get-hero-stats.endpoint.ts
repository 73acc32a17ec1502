import { z } from 'zod'
import { perRequest } from '#server/api/contract/price-kinds.ts'
import { defineItem } from '../define.ts'
import { marketAsOf, percent, percentOrNull } from './statistic-fields.ts'

const HeroStats = z.object({
  productsTracked: z.int().describe('Number of listed savings products.'),
  providersTracked: z.int().describe('Number of active providers, including those without savings products.'),
  topRate: percent.nullable().describe('Best rate in the market, AER in percent with two decimals; null without products.'),
  topRateProvider: z.string().nullable().describe('Display name of the provider with that rate; for equal rates, the one listed first on /rates.'),
  updatesToday: z.int().describe("Number of rate changes, launches and withdrawals today (London): today's rows on /history."),
  asOf: marketAsOf,
})

export const getHeroStats = defineItem({
  id: 'market.hero-stats',
  no: 28,
  path: '/market/hero-stats',
  tool: 'market_hero_stats',
  summary: 'Get headline market figures.',
  when: 'to get a few figures about the whole market in one call.',
  scope: 'market:read',
  price: perRequest(5),
  live: 'test-only',
  sampled: true,
  input: z.object({}),
  output: HeroStats,
  handle: (_input, { market: { figures } }) => {
    const { productCount, providerCount, topProviders } = figures.overview()
    const best = topProviders[0]?.best
    return {
      productsTracked: productCount,
      providersTracked: providerCount,
      topRate: percentOrNull(best?.rateBp ?? null),
      topRateProvider: best?.provider ?? null,
      updatesToday: figures.updatesToday(),
      asOf: figures.asOf,
    }
  },
})
