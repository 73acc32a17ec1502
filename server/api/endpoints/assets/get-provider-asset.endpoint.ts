import { z } from 'zod'
import { missing } from '#server/api/contract/errors.ts'
import { queryText } from '#server/api/contract/query.ts'
import { monogramSize, monogramSvg } from '#server/market/images.ts'
import { defineItem } from '../define.ts'
import { missingProvider } from '../missing-items.ts'
import { assetFields, svgContent } from './asset-record.ts'

export const getProviderAsset = defineItem({
  id: 'assets.provider',
  no: 37,
  path: '/assets/providers/{slug}',
  tool: 'assets_providers',
  summary: 'Get the logo of a provider.',
  description: 'Returns 404 without a charge if the provider has no logo.',
  when: 'to display the logo of a provider; not needed for text answers.',
  scope: 'providers:read',
  price: { credits: 5, per: 'request' },
  live: 'open',
  sampled: true,
  input: z.object({ slug: queryText().describe('Slug of the provider, as in /reference/providers.') }),
  output: z.object({ slug: z.string().describe('Slug of the provider.'), ...assetFields }),
  handle: ({ slug }, { market, publicUrl }) => {
    const provider = market.provider(slug)
    if (!provider) throw missingProvider(slug, market)
    const { name, colour, logoPath } = provider
    if (colour === null || logoPath === null) throw missing('logo of the provider', slug, ' `logoUrl` in /providers shows which providers have one.')
    return { slug, name, url: publicUrl + logoPath, ...svgContent(monogramSvg(name, colour), monogramSize, monogramSize) }
  },
})
