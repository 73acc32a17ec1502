import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RefusedError } from '#server/api/contract/errors.ts'
import { Cursors } from '#server/api/pipeline/page.ts'

const secret = 'a secret that is long enough for anyone'
const cursors = new Cursors(secret)

/** Returns the key in a cursor, or the error code. */
function read(cursor: string, binding: string, by = cursors): string {
  try {
    return by.read(cursor, binding)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    expect(error.refusal.message).toContain('"cursor"')
    return `refused: ${error.refusal.code}`
  }
}

const refused = 'refused: invalid_request'

test('a URL-safe cursor decodes to its key for the same query', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ unit: 'binary' }), (key, binding) => {
      const cursor = cursors.write(key, binding)
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
      expect(read(cursor, binding)).toBe(key)
    }),
    { seed: 1, numRuns: 200 },
  )
})

test('rejects a cursor from another query or one created with another secret', () => {
  const cursor = cursors.write('4.50 some-product', 'live rates.list {}')
  for (const binding of ['test rates.list {}', 'live rates.list {"type":"notice"}', 'live history.list {}', '', 'live rates.list {} '])
    expect(read(cursor, binding)).toBe(refused)
  expect(read(cursor, 'live rates.list {}', new Cursors('another secret that is long enough'))).toBe(refused)
})

test('rejects a cursor if bytes were moved between key and query', () => {
  expect(read(cursors.write('b\0c', 'a'), 'a\0b')).toBe(refused)
  expect(read(cursors.write('c', 'a\0b'), 'a')).toBe(refused)
})

test('rejects a modified, shortened or extended cursor', () => {
  const cursor = cursors.write('4.50 some-product', 'q')
  for (let at = 0; at < cursor.length; at++) {
    for (const character of 'Aa0_-') if (character !== cursor[at]) expect(read(cursor.slice(0, at) + character + cursor.slice(at + 1), 'q')).toBe(refused)
    expect(read(cursor.slice(0, at), 'q')).toBe(refused)
    expect(read(cursor.slice(at + 1), 'q')).toBe(refused)
  }
  for (const other of [`${cursor}=`, `${cursor}A`, ` ${cursor}`, `${cursor}\n`, cursor.replaceAll('-', '+').replaceAll('_', '/'), '', '=', 'null']) {
    if (other !== cursor) expect(read(other, 'q'), other).toBe(refused)
  }
})
