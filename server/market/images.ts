import type { CardNetwork } from './cards.ts'
import type { Dataset } from './product.ts'

/** Path of a provider's logo on this service. Endpoints prepend the public URL. */
export function logoPath(dataset: Dataset, slug: string): string {
  return `/logos/${dataset}/${slug}.svg`
}

const plainWord = /^(?:the|bank|savings|building|society|credit|union|cash|platform)$/i

/** Initials of the first two distinctive words of a name, or the first two characters of a single word. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const distinctive = words.filter((word) => !plainWord.test(word))
  const [first = '', second] = distinctive.length > 0 ? distinctive : words
  const text = second === undefined ? [...first].slice(0, 2) : [...first].slice(0, 1).concat([...second].slice(0, 1))
  return text.join('').toUpperCase()
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Relative luminance of a `#rrggbb` colour, as defined by WCAG 2, from 0 to 1. */
function luminance(colour: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

const light = '#ffffff'
// With a lighter colour, some backgrounds would have a contrast below 4.5:1 with both text colours.
const dark = '#040608'

/**
 * Returns the text colour for a background: white or near-black, whichever has more contrast. One of the two always reaches the 4.5:1 that WCAG AA requires.
 */
export function inkOn(colour: string): string {
  const ground = luminance(colour)
  const onLight = 1.05 / (ground + 0.05)
  const onDark = (ground + 0.05) / (luminance(dark) + 0.05)
  return onLight >= onDark ? light : dark
}

/** Width and height of a monogram, in SVG units. */
export const monogramSize = 64

/**
 * Draws a provider's monogram: rounded tile in its colour, shading, initials. Self-contained and deterministic SVG, 64 × 64. Throws unless the
 * colour is `#rrggbb`, because it is inserted into markup.
 */
export function monogramSvg(name: string, colour: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) throw new RangeError(`Invalid colour "${colour}": expected #rrggbb.`)
  const ink = inkOn(colour)
  const text = initials(name)
  const size = [...text].length > 1 ? 25 : 30
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="${monogramSize}" height="${monogramSize}" role="img">`,
    `<title>${escapeXml(name)}</title>`,
    `<rect width="64" height="64" rx="14" fill="${colour}"/>`,
    // The shade contrasts with the text colour, so it can only improve legibility.
    `<path d="M0 46C18 34 40 30 64 33V50A14 14 0 0 1 50 64H14A14 14 0 0 1 0 50Z" fill="${ink === light ? dark : light}" fill-opacity="0.1"/>`,
    `<rect x="0.75" y="0.75" width="62.5" height="62.5" rx="13.25" fill="none" stroke="${ink}" stroke-opacity="0.16" stroke-width="1.5"/>`,
    `<text x="32" y="32" dy="0.355em" text-anchor="middle" fill="${ink}" font-size="${size}" font-weight="600" letter-spacing="0.4"`,
    ` font-family="Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif">${escapeXml(text)}</text>`,
    '</svg>',
    '',
  ].join('\n')
}

/** Path of a card image on this service. Endpoints prepend the public URL. */
export function cardImagePath(dataset: Dataset, sourceKey: string): string {
  return `/card-images/${dataset}/${sourceKey}.svg`
}

/** Size of a card image in SVG units, with the proportions of an ID-1 card (85.60 × 53.98 mm). */
export const cardWidth = 320
export const cardHeight = 202

/** Background of a card whose provider has no colour. */
const plainGround = '#394867'

const networkNames = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' } as const satisfies Record<CardNetwork, string>

type CardFace = {
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
  const text = (x: number, y: number, size: number, weight: number, anchor: 'start' | 'end', content: string) =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${ink}" font-size="${size}" font-weight="${weight}" font-family="Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif">${escapeXml(content)}</text>`
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
