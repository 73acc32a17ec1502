import { z } from 'zod'
import { type Card, cardNetworks, spendPeriods } from '#server/market/cards.ts'
import { logoUrl } from '../providers/record-fields.ts'

/** Common first fields of both card lists. */
export const cardFields = {
  sourceKey: z.string().describe('Stable card ID, as in /reference/cards.'),
  name: z.string().describe('Name of the card.'),
  provider: z.string().describe('Display name of the issuer.'),
  providerSlug: z.string().nullable().describe('Slug of the issuer; null if it is not a provider in the rates data.'),
  logoUrl,
  imageUrl: z.url().nullable().describe('Absolute URL of the card image; null if there is none.'),
  network: z.enum(cardNetworks).describe('Payment network.'),
}

export const period = z.enum(spendPeriods).describe('Period of the amount.')

/** Maps the common fields to the API. */
export function toCardFields({ sourceKey, name, provider, providerSlug, logoPath, imagePath }: Card, publicUrl: string) {
  return { sourceKey, name, provider, providerSlug, logoUrl: logoPath === null ? null : publicUrl + logoPath, imageUrl: publicUrl + imagePath }
}
