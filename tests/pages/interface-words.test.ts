import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** What people read stands in pages, parts of pages, letters, and the sentences of the rooms whose faults are shown beside fields. */
const spoken = ['app/**/*.{ts,tsx}', 'components/**/*.{ts,tsx}', 'server/{auth,keys,billing,accounts,email,pages}/**/*.ts']
const root = join(import.meta.dirname, '../..')

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/ .*$/gm, '$1')

const sources = globSync(spoken, { cwd: root }).map((file) => ({ file, text: withoutComments(readFileSync(join(root, file), 'utf8')) }))

/** Each match with the file it is in, so that a failure says where to go. */
const found = (pattern: RegExp, files = sources) => files.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([word]) => `${file}: ${word}`))

test('no page, letter or fault says what our pages never say', () => {
  expect(sources.length).toBeGreaterThan(150)
  // Attributes and codes are names, not words: aria-invalid, invalid_request.
  expect(found(/\b(?:please|sorry|oops|successfully|subscription)\b|(?<![-_.])\binvalid\b(?![-_:(.])/gi)).toEqual([])
})

test('colours have names: none is written out in a page or a part of one, and none of the framework is used', () => {
  const pages = sources.filter(({ file }) => /^(?:app|components)\//.test(file))
  expect(found(/["'`\s[:(]#[0-9a-f]{3,8}\b(?=["'`\s\];,)])/gi, pages)).toEqual([])
  expect(found(/\b(?:bg|text|border|fill|stroke|ring|from|to|via)-(?:white|black|[a-z]+-[1-9]00|[a-z]+-950)\b/g, pages)).toEqual([])
})

test('the styles of the build hold no colour of the framework', () => {
  const styles = globSync('.next/static/**/*.css', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  expect(styles.join('').length).toBeGreaterThan(1_000)
  expect([
    ...styles
      .join('')
      .matchAll(
        /--color-(?:red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose|slate|gray|zinc|neutral|stone)-\d+/g,
      ),
  ]).toEqual([])
})
