import { expect, test, vi } from 'vitest'
import { encodeAnswer } from '#server/api/http/compressed-page.ts'
import type { Answer, BuiltPage } from '#server/api/pipeline/call.ts'
import type { Log } from '#server/observability/log.ts'

/** A gzip block can't hold an end of this length, so compression fails. */
const tooLong = 'x'.repeat(70_000)

test('sends a response uncompressed if compression fails, with and without a cached start of the page', async () => {
  const error = vi.fn()
  const body = `${'rows '.repeat(1_000)}${tooLong}`
  const page = { tag: 'W/"failed-compression' } as BuiltPage
  const answer: Answer = { status: 200, headers: [], body, bytes: body.length, page, end: tooLong }
  const first = encodeAnswer(answer, 'gzip', { error } as unknown as Log)
  expect(first).toBeInstanceOf(Promise)
  expect(await first).toBe(answer)
  // The compressed start of the page is now cached, so the failure is synchronous.
  expect(encodeAnswer(answer, 'gzip', { error } as unknown as Log)).toBe(answer)
  expect(error).toHaveBeenCalledTimes(2)
})
