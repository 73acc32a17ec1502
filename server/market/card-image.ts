import type { CardNetwork } from './card.ts'
import type { Dataset } from './dataset.ts'
import { escapeXml, initials, inkOn } from './logo.ts'

/** Path of a card image on this service. Endpoints prepend the public URL. */
export function cardImagePath(dataset: Dataset, sourceKey: string): string {
  return `/card-images/${dataset}/${sourceKey}.svg`
}

/** Proportions of an ID-1 card (85.60 × 53.98 mm). */
export const cardWidth = 320
export const cardHeight = 202

/** Background of a card whose provider has no colour. */
const plainGround = '#394867'

const networkNames = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' } as const satisfies Record<CardNetwork, string>

export type CardFace = {
  readonly name: string
  readonly provider: string
  readonly network: CardNetwork | null
  readonly colour: string | null
}

/** Truncates text that would overflow the card. */
function fitted(text: string, maxLength: number): string {
  const all = [...text]
  return all.length > maxLength
    ? `${all
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`
    : text
}

/** Card name without the provider prefix, which is already printed on the card. */
function ownName({ name, provider }: CardFace): string {
  return name.startsWith(`${provider} `) ? name.slice(provider.length + 1) : name
}

/**
 * Draws a card: rounded background in the provider's colour, shading, chip, names. Self-contained and deterministic SVG. No third-party artwork:
 * the network is named in text, without its logo.
 */
export function cardSvg(face: CardFace): string {
  const ground = face.colour ?? plainGround
  const ink = inkOn(ground)
  const shade = ink === '#ffffff' ? '#040608' : '#ffffff'
  const text = (x: number, y: number, size: number, weight: number, anchor: 'start' | 'end', words: string) =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${ink}" font-size="${size}" font-weight="${weight}" font-family="Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif">${escapeXml(words)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${cardWidth} ${cardHeight}" width="${cardWidth}" height="${cardHeight}" role="img">`,
    `<title>${escapeXml(face.name)}</title>`,
    `<rect width="${cardWidth}" height="${cardHeight}" rx="14" fill="${ground}"/>`,
    // The shade contrasts with the text colour, so it can only improve legibility.
    `<path d="M0 140C90 104 200 92 320 102V188A14 14 0 0 1 306 202H14A14 14 0 0 1 0 188Z" fill="${shade}" fill-opacity="0.1"/>`,
    `<rect x="0.75" y="0.75" width="${cardWidth - 1.5}" height="${cardHeight - 1.5}" rx="13.25" fill="none" stroke="${ink}" stroke-opacity="0.16" stroke-width="1.5"/>`,
    `<rect x="24" y="76" width="42" height="32" rx="6" fill="none" stroke="${ink}" stroke-opacity="0.55" stroke-width="1.5"/>`,
    `<path d="M24 92H66M45 76V108" stroke="${ink}" stroke-opacity="0.35" stroke-width="1.5"/>`,
    text(24, 44, 17, 600, 'start', fitted(face.provider, 25)),
    text(296, 44, 15, 600, 'end', initials(face.provider)),
    text(24, 150, 15, 500, 'start', fitted(ownName(face), 36)),
    ...(face.network === null ? [] : [text(296, 178, 12, 500, 'end', networkNames[face.network])]),
    '</svg>',
    '',
  ].join('\n')
}
