import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Source = { readonly path: string; readonly text: string }

const filesIn = (folder: string): Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('generated'))
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(folder, path), 'utf8') }))

const sources = ['server', 'app', 'components'].flatMap(filesIn)

/** Returns the paths of the source files that match, even if only a comment matches: a false positive costs less than a missed call. */
const withMatch = (pattern: RegExp): string[] => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

test('finds the source files', () => expect(sources.length).toBeGreaterThan(500))

test('never evaluates code from strings', () => {
  expect(withMatch(/\beval\(|new Function\(|from 'node:vm'|from 'vm'/)).toEqual([])
})

test('starts only PostgreSQL and the service itself, and never through a shell', () => {
  expect(withMatch(/import \{[^}]*\} from 'node:child_process'/).filter((path) => !/^server\/(?:db\/embedded|runtime\/processes\/)/.test(path))).toEqual([])
  expect(withMatch(/shell: true|\bexecSync\(|import \{[^}]*\bexec\b[^}]*\} from 'node:child_process'/)).toEqual([])
})

test('never writes HTML without React and never listens to messages from other windows', () => {
  expect(withMatch(/dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write\(/)).toEqual([])
  const inPages = (path: string) => !path.startsWith('server')
  expect(withMatch(/addEventListener\('message'|\.onmessage\b/).filter(inPages)).toEqual([])
})

test('never uses Math.random()', () => {
  expect(withMatch(/Math\.random\(/)).toEqual([])
})

test('never imports common cryptography libraries, and never uses a broken hash or cipher', () => {
  expect(withMatch(/from '(?:crypto-js|bcrypt|bcryptjs|node-forge|tweetnacl|jsonwebtoken)'/)).toEqual([])
  expect(withMatch(/['"](?:md4|md5|rc4|des|des3|aes-\d+-(?:ecb|cbc|ctr))['"]/i)).toEqual([])
  // Only authenticator codes need SHA-1, and a library computes them.
  expect(withMatch(/'sha1'/).toSorted()).toEqual([])
})

test('builds regular expressions only from constants, or from letters and digits', () => {
  const built = withMatch(/new RegExp\(/)
  expect(built.toSorted()).toEqual(
    [
      'components/docs/search-results.tsx',
      'server/api/contract/formats.ts',
      'server/api/contract/query.ts',
      'server/api/pipeline/spending-headers.ts',
      'server/market/import/feed-kind.ts',
      'server/runtime/page-cache/public-pages.ts',
    ].toSorted(),
  )
  const search = sources.find(({ path }) => path === 'components/docs/search-results.tsx')?.text
  expect(search).toContain('.match(/[a-z0-9]+/g)')
})
