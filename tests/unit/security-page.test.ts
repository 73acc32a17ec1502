import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test.each(['security.md', 'backup.md', 'dependencies.md'])('docs/%s mentions only existing files', (name) => {
  const page = readFileSync(join(root, 'docs', name), 'utf8')
  const files = [...page.matchAll(/`((?:server|tests|scripts|deploy|prisma|docs)\/[\w./-]+)`/g)].map(([, file = '']) => file)
  const links = [...page.matchAll(/\]\(([\w./-]+\.md)\)/g)].map(([, link = '']) => join('docs', link))
  expect(files.length + links.length).toBeGreaterThan(0)
  expect([...files, ...links].filter((file) => !existsSync(join(root, file)))).toEqual([])
})
