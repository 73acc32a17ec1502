import { z } from 'zod'
import { type Card, cardNetworks, spendPeriods } from '../../market/card.ts'
import { logoUrl } from '../providers/record-fields.ts'

/** What cards of both lists begin with. */
export const cardFields = {
  sourceKey: z.string().describe('Stable card id, as in /reference/cards.'),
  name: z.string().describe('Name of the card.'),
  provider: z.string().describe('Display name of the issuer.'),
  providerSlug: z.string().nullable().describe('Slug of the issuer, or null when it is no provider of the rates data.'),
  logoUrl,
  imageUrl: z.url().nullable().describe('Picture of the card, an absolute URL; null when there is none.'),
  network: z.enum(cardNetworks).describe('Payment network.'),
}

export const period = z.enum(spendPeriods).describe('What it is counted over.')

/** The read model of those fields in the words of the contract. */
export function toCardFields({ sourceKey, name, provider, providerSlug, logoPath, imagePath }: Card, publicUrl: string) {
  return { sourceKey, name, provider, providerSlug, logoUrl: logoPath === null ? null : publicUrl + logoPath, imageUrl: publicUrl + imagePath }
}
