import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inkOn, logoPath, monogramSvg } from '#server/market/images.ts'

const anyColour = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

/** Returns the WCAG 2 contrast ratio of two #rrggbb colours. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

test('has a text contrast of at least 4.5:1 on any background', () => {
  fc.assert(
    fc.property(anyColour, (colour) => {
      expect(contrast(colour, inkOn(colour))).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test('uses the initials of the distinctive words', () => {
  const messages = (name: string) => /">([^<]*)<\/text>/.exec(monogramSvg(name, '#1f3a5f'))?.[1]
  expect(messages('Harrow Vale Bank')).toBe('HV')
  expect(messages('Thornwick Building Society')).toBe('TH')
  expect(messages('Teasel & Rowe')).toBe('TR')
  expect(messages('The Bank')).toBe('TB')
})

test('escapes markup in names', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      const svg = monogramSvg(`<script>"'&${name}`, '#1f3a5f')
      expect(svg.match(/<[a-z]+/g)).toEqual(['<svg', '<title', '<rect', '<path', '<rect', '<text'])
    }),
  )
})

test('is deterministic, with the name as its title', () => {
  const svg = monogramSvg('Teasel & Rowe', '#2f5d50')
  expect(svg).toBe(monogramSvg('Teasel & Rowe', '#2f5d50'))
  expect(svg).toContain('viewBox="0 0 64 64"')
  expect(svg).toContain('<title>Teasel &#38; Rowe</title>')
})

test('rejects invalid colours', () => {
  expect(() => monogramSvg('A', 'red"/><script>')).toThrow(RangeError)
})

test('includes the dataset in the path', () => {
  expect(logoPath('sample', 'paperlark')).toBe('/logos/sample/paperlark.svg')
})
