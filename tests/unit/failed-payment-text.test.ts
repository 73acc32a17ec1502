import { expect, test } from 'vitest'
import { failedText } from '#components/portal/billing/payment-text.ts'
import { unknownCharge } from '#server/api/contract/billing-notices.ts'

test('states that a card was not charged only if that is known', () => {
  expect(failedText(null)).toBe('You were not charged.')
  expect(failedText('Your card was declined.')).toBe('You were not charged. Your card was declined.')
  expect(failedText(unknownCharge)).toBe("We couldn't confirm whether your card was charged. If it was, we'll add the credits.")
})
