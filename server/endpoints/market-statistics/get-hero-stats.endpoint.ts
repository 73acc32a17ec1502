import { z } from 'zod'
import { perRequest } from '../../contract/prices.ts'
import { defineItem } from '../define.ts'
import { marketAsOf, percent, percentOrNull } from './statistic-fields.ts'

const HeroStats = z.object({
  productsTracked: z.int().describe('Savings products that are listed.'),
  providersTracked: z.int().describe('Active providers, also those without a savings product.'),
  topRate: percent.nullable().describe('Best rate of all of them, AER in percent with two decimals; null without products.'),
  topRateProvider: z.string().nullable().describe('Display name of its provider; of equal rates that which /rates has first.'),
  updatesToday: z.int().describe('Changes of rates, launches and withdrawals of today in London: the rows of today on /history.'),
  asOf: marketAsOf,
})

export const getHeroStats = defineItem({
  id: 'market.hero-stats',
  no: 28,
  path: '/market/hero-stats',
  tool: 'market_hero_stats',
  summary: 'Read the headline figures of the market.',
  when: 'to get a few figures about the whole market at once.',
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
