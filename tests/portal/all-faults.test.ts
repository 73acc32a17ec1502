/** Tests that forms report all errors together, in the order of their fields. */
import { expect, test } from 'vitest'
import { deadDelivery, getEndpoint } from '../admin/support/dead-delivery.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getError } from './support/visitor.ts'

const fixture = portalFixture()

test.each([
  ['Send link to new address', { email: 'nobody' }, 'Enter an email address like name@example.com.'],
  ['Change password', {}, 'Enter your current password. Enter a password.'],
  ['Close account', {}, 'Enter the email address you sign in with.'],
])('"%s" with %j reports all errors', async (button, typed, faults) => {
  const { visitor } = await fixture.member()
  const page = await visitor.submitForm(await visitor.open(`/portal/settings/${button === 'Close account' ? 'account' : 'security'}`), button, typed)
  expect(page.text).toContain(`There is a problem ${faults}`)
})

test('reports every missing field of a licence draft', async () => {
  const { visitor } = await fixture.administrator()
  const form = await visitor.open('/admin/licences/new')
  const { text } = await visitor.submitForm(form, 'Save and preview', { label: '', changes: '', graceEndsOn: '', body: '' })
  expect(text).toMatch(
    /There is a problem The version must be .* Describe the changes in up to 2000 characters. The grace period must be at least 14 days. Enter \d+ [A-Z][a-z]+ 20\d\d or later. The text must have 1 to 100000 characters. Enter a reason/,
  )
})

test('reports errors in both rate limits, and at both ends of a time range', async () => {
  const [{ visitor }, member] = [await fixture.administrator(), await fixture.member()]
  const limits = await visitor.call('admin.accounts.preview', 'query', { account: member.publicId, kind: 'limits', perMinute: 'many', perDay: '1,0' })
  const each = 'Enter a whole number from 1 to 10,000,000, or leave it empty.'
  expect(getError(limits).data.fields).toEqual({ perMinute: each, perDay: each })
  const endpoint = await getEndpoint(fixture, member)
  await deadDelivery(fixture, endpoint)
  const span = await visitor.submitForm(await visitor.open(`/admin/deliveries/${endpoint}`), 'Redeliver this range', { from: '', to: '', reason: '' })
  const moment = 'Enter a date and time, e.g. 2026-11-21T09:30.'
  expect(span.text).toContain(`There is a problem ${moment} ${moment} Enter a reason.`)
})
