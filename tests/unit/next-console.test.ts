import { expect, test } from 'vitest'
import { createLog } from '#server/observability/log.ts'
import { getReference, withReference } from '#server/observability/log-reference.ts'
import { logNext } from '#server/runtime/portal.ts'

type Line = { level: number; msg: string; said?: string; reference?: string }

/** Returns a console for Next.js, and the log lines produced by its output. */
function collectLog(): { console: Record<'error' | 'warn', (...parts: unknown[]) => void>; lines: Line[] } {
  const lines: Line[] = []
  const log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line) as Line) })
  const console = { error: () => undefined, warn: () => undefined }
  logNext(log, console)
  return { console, lines }
}

test('warns about a form submitted without an origin, and logs its host and origin headers', () => {
  const { console, lines } = collectLog()
  const said =
    '`host` header with value `rates.example.test` does not match `origin` header with value `null` from a forwarded Server Actions request. Aborting the action.'
  console.error(said)
  expect(lines).toMatchObject([{ level: 40, msg: 'A form was rejected because it was not sent from our own pages.', said }])
})

test('logs an unknown action at debug level', () => {
  const { console, lines } = collectLog()
  console.warn(new Error('Failed to find Server Action "0".'))
  console.error(new Error('Invalid Server Actions request.'))
  expect(lines.map(({ level }) => level)).toEqual([20, 20])
})

test('logs an error with the reference shown on the error page', () => {
  const { console, lines } = collectLog()
  console.error(withReference(new Error('one'), 'Ab3dEf6hIj'))
  console.error(Object.assign(new Error('two'), { digest: '1234567890' }))
  console.error(new Error('three'))
  expect(lines.map(({ level, reference }) => [level, reference])).toEqual([
    [50, 'Ab3dEf6hIj'],
    [50, '1234567890'],
    [50, undefined],
  ])
})

test('gives each error its own reference, which stays the same if it is logged again', () => {
  const [one, other] = [withReference(new Error('the same')), withReference(new Error('the same'))]
  expect(getReference(one)).toMatch(/^\w{10}$/)
  expect(getReference(one)).not.toBe(getReference(other))
  expect(getReference(withReference(one))).toBe(getReference(one))
})
