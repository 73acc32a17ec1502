import { z } from 'zod'
import { queryText } from '#server/api/contract/query.ts'
import { cardHeight, cardSvg, cardWidth } from '#server/market/images.ts'
import { defineItem } from '../define.ts'
import { missingCard } from '../missing-items.ts'
import { assetFields, svgContent } from './asset-record.ts'

export const getCardAsset = defineItem({
  id: 'assets.card',
  no: 38,
  path: '/assets/cards/{sourceKey}',
  tool: 'assets_cards',
  summary: 'Get the image of a card.',
  when: 'to display the image of a card; not needed for text answers.',
  scope: 'cards:read',
  price: { credits: 5, per: 'request' },
  live: 'test-only',
  sampled: true,
  input: z.object({ sourceKey: queryText().describe('Stable card ID, as in /reference/cards.') }),
  output: z.object({ sourceKey: z.string().describe('Stable card ID.'), ...assetFields }),
  handle: ({ sourceKey }, { market, publicUrl }) => {
    const card = market.card(sourceKey)
    if (!card) throw missingCard(sourceKey, market)
    return { sourceKey, name: card.name, url: publicUrl + card.imagePath, ...svgContent(cardSvg(card), cardWidth, cardHeight) }
  },
})
