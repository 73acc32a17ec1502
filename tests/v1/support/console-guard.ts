import { afterAll, afterEach, expect, vi } from 'vitest'

/** Fails a test in which anything was written with console.error or console.warn, or in which Node warned of something. */
const watched = (['error', 'warn'] as const).map((level) => vi.spyOn(console, level))
const warnings: string[] = []
const note = (warning: Error) => warnings.push(warning.stack ?? warning.message)
process.on('warning', note)

// A process may take several files, each of which loads this anew.
afterAll(() => {
  process.off('warning', note)
})

afterEach(() => {
  const said = watched.flatMap((spy) => spy.mock.calls.map((parts) => parts.map(String).join(' ')))
  const found = [...said, ...warnings.splice(0)]
  for (const spy of watched) spy.mockClear()
  expect(found, 'Nothing may be written to console.error or console.warn, and Node may not warn.').toEqual([])
})
