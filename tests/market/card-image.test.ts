import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cardImagePath, cardSvg } from '#server/market/images.ts'

const face = { name: 'Harrow Vale Bank Points Card', provider: 'Harrow Vale Bank', network: 'visa', colour: '#1f3a5f' } as const

const wordsOn = (svg: string) => [...svg.matchAll(/>([^<]*)<\/text>/g)].map(([, words]) => words)

test('shows the provider, the card name and the network as text', () => {
  expect(wordsOn(cardSvg(face))).toEqual(['Harrow Vale Bank', 'HV', 'Points Card', 'Visa'])
  expect(wordsOn(cardSvg({ ...face, name: 'Points Card', network: null }))).toEqual(['Harrow Vale Bank', 'HV', 'Points Card'])
  expect(cardSvg(face)).toContain('<title>Harrow Vale Bank Points Card</title>')
})

test('is deterministic, and uses a default background if the provider has no colour', () => {
  expect(cardSvg(face)).toBe(cardSvg({ ...face }))
  expect(cardSvg({ ...face, colour: null })).toContain('fill="#394867"')
})

test('truncates long names', () => {
  const [provider, , name] = wordsOn(cardSvg({ ...face, provider: 'x'.repeat(60), name: 'y'.repeat(60) }))
  expect([provider, name]).toEqual([`${'x'.repeat(24)}…`, `${'y'.repeat(35)}…`])
})

test('escapes markup in names', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (name, provider) => {
      const svg = cardSvg({ ...face, name: `<script>"'&${name}`, provider: `</text><a>${provider}` })
      expect(svg.match(/<[a-z]+/g)).toEqual(['<svg', '<title', '<rect', '<path', '<rect', '<rect', '<path', '<text', '<text', '<text', '<text'])
    }),
  )
})

test('includes the dataset in the path', () => {
  expect(cardImagePath('sample', 'a.b_c-1')).toBe('/card-images/sample/a.b_c-1.svg')
})
