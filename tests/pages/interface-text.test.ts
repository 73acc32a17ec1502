import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Sources of user-facing text: pages, components, emails, and the modules whose errors are shown next to fields. */
const sourceGlobs = ['app/**/*.{ts,tsx}', 'components/**/*.{ts,tsx}', 'server/{auth,keys,billing,accounts,email,pages}/**/*.ts']
const root = join(import.meta.dirname, '../..')

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/ .*$/gm, '$1')

const sources = globSync(sourceGlobs, { cwd: root }).map((file) => ({ file, text: withoutComments(readFileSync(join(root, file), 'utf8')) }))

/** Returns every match of a pattern, with its file. */
const found = (pattern: RegExp, files = sources) => files.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([word]) => `${file}: ${word}`))

test('no page, email or error contains words such as please, sorry or invalid', () => {
  expect(sources.length).toBeGreaterThan(150)
  // Skips names such as aria-invalid and invalid_request.
  expect(found(/\b(?:please|sorry|oops|successfully|subscription)\b|(?<![-_.])\binvalid\b(?![-_:(.])/gi)).toEqual([])
})

test('pages of the site and the portal avoid old-fashioned words', () => {
  const pages = sources.filter(({ file }) => /^(?:app|components|server\/pages)\//.test(file) && !/(?:^|\/)admin/.test(file))
  expect(pages.length).toBeGreaterThan(150)
  expect(found(/\b(?:a(?:new|fresh)|be(?:gun|side)|(?:no|some)body|w(?:hat|ho)ever)\b/gi, pages)).toEqual([])
})

test("pages and components only use the theme's named colours", () => {
  const pages = sources.filter(({ file }) => /^(?:app|components)\//.test(file))
  expect(found(/["'`\s[:(]#[0-9a-f]{3,8}\b(?=["'`\s\];,)])/gi, pages)).toEqual([])
  expect(found(/\b(?:bg|text|border|fill|stroke|ring|from|to|via)-(?:white|black|[a-z]+-[1-9]00|[a-z]+-950)\b/g, pages)).toEqual([])
})

test('the built styles contain no default Tailwind colours', () => {
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
