import { expect, onTestFinished, test, vi } from 'vitest'
import { readEnv } from '#server/env.ts'

test('accepts the former name of a renamed variable, with a deprecation warning', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  onTestFinished(() => warn.mockRestore())
  const limit = (variables: NodeJS.ProcessEnv) => readEnv(variables).payment.fourEyesCredits
  expect(limit({ NODE_ENV: 'test', DESK_FOUR_EYES_CREDITS: '250' })).toBe(250)
  expect(warn.mock.calls).toEqual([['DESK_FOUR_EYES_CREDITS is deprecated. Set ADMIN_FOUR_EYES_CREDITS instead.', 'DeprecationWarning']])
  expect(limit({ NODE_ENV: 'test', DESK_FOUR_EYES_CREDITS: '250', ADMIN_FOUR_EYES_CREDITS: '300' })).toBe(300)
  expect([limit({ NODE_ENV: 'test', ADMIN_FOUR_EYES_CREDITS: '300' }), warn.mock.calls.length]).toEqual([300, 2])
})
