import { expect, test } from 'vitest'
import { portalFixture } from './support/portal-for-file.ts'

const fixture = portalFixture()

/** Returns a signed-in account that has not confirmed its email. */
async function unconfirmed() {
  const [visitor, email] = [fixture.visitor(), fixture.newEmail()]
  await fixture.signUp(visitor, email)
  return { visitor, email, page: await fixture.signIn(visitor, email) }
}

const heldBack = ["We're reviewing your account.", 'Your balance is 0.', 'What will you build?']

test('an unconfirmed account sees only a request to confirm its email, and can resend the link', async () => {
  const { visitor, email, page } = await unconfirmed()
  expect(page.path).toBe('/portal')
  expect(page.text).toContain(`Confirm your email We sent a link to ${email}. It works once and expires in 30 minutes.`)
  expect(page.text).toContain('We close unused, unconfirmed accounts after 30 days.')
  for (const path of ['/portal', '/portal/keys', '/portal/billing']) {
    const { text } = await visitor.open(path)
    for (const expected of heldBack) expect([path, text.includes(expected)]).toEqual([path, false])
  }
  expect(
    page.html
      .match(/<(?:a|button)[^>]*class="[^"]*bg-accent [^"]*"[^>]*>[^<]*/g)
      ?.map((tag) => tag.replace(/.*>/s, ''))
      .filter((label) => label !== ''),
  ).toEqual(['Resend link'])
  const sent = await visitor.submitForm(page, 'Resend link')
  expect(sent.result).toEqual({ isSent: true })
  await fixture.mailbox.next(email, 2)
  // This button has the same limit as the resend button after sign-up.
  expect((await visitor.submitForm(sent, 'Resend link')).text).toMatch(/Too many attempts\. Try again in \d+ seconds?\./)
  await fixture.confirm(visitor, email, 2)
  const { text } = await visitor.open('/portal')
  expect(text).not.toContain('Confirm your email')
  expect(text).toContain("We're reviewing your account.")
})

test('resending the link after the account was confirmed sends no email, and tells the page so', async () => {
  const { visitor, email, page } = await unconfirmed()
  await fixture.confirm(visitor, email)
  expect((await visitor.submitForm(page, 'Resend link')).result).toEqual({ isSent: false })
  expect((await visitor.open('/portal')).text).not.toContain('Confirm your email')
  expect(fixture.mailbox.to(email)).toHaveLength(1)
})
