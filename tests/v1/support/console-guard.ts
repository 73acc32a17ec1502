import { afterAll, afterEach, expect, vi } from 'vitest'

/** Fails any test that writes to console.error or console.warn, or causes a Node warning. */
const watched = (['error', 'warn'] as const).map((level) => vi.spyOn(console, level))
const warnings: string[] = []
const note = (warning: Error) => warnings.push(warning.stack ?? warning.message)
process.on('warning', note)

// Removes the listener, because a process may run several test files, each of which loads this module again.
afterAll(() => {
  process.off('warning', note)
})

afterEach(() => {
  const said = watched.flatMap((spy) => spy.mock.calls.map((parts) => parts.map(String).join(' ')))
  const found = [...said, ...warnings.splice(0)]
  for (const spy of watched) spy.mockClear()
  expect(found, 'Expected no output to console.error or console.warn, and no Node warnings.').toEqual([])
})
