import { expect, test } from 'vitest'
import { portalStage } from './support/portal-stage.ts'

const stage = portalStage()

/** Somebody who signed up and is signed in, and has not pressed the button of the letter. */
async function unconfirmed() {
  const [visitor, email] = [stage.visitor(), stage.newEmail()]
  await stage.signUp(visitor, email)
  return { visitor, email, page: await stage.signIn(visitor, email) }
}

const heldBack = ['We are reviewing your account.', 'Your balance is 0.', 'What will you build?']

test('an account that is not confirmed is told that alone, and can have the link sent again from there', async () => {
  const { visitor, email, page } = await unconfirmed()
  expect(page.path).toBe('/portal')
  expect(page.text).toContain(`Confirm your email We sent a link to ${email}. It works once, for 30 minutes.`)
  expect(page.text).toContain('Without it, an account that is not in use is closed after 30 days.')
  for (const path of ['/portal', '/portal/keys', '/portal/billing']) {
    const { text } = await visitor.open(path)
    for (const words of heldBack) expect([path, text.includes(words)]).toEqual([path, false])
  }
  expect(page.html.match(/<(?:a|button)[^>]*class="[^"]*bg-accent [^"]*"[^>]*>[^<]*/g)?.map((tag) => tag.replace(/.*>/s, ''))).toEqual(['Send a new link'])
  const sent = await visitor.press(page, 'Send a new link')
  expect(sent.text).toContain('A new link is on its way.')
  await stage.mailbox.next(email, 2)
  // As often as where the sign-up says to look at the mail, and no oftener.
  expect((await visitor.press(sent, 'Send a new link')).text).toMatch(/Too many attempts\. Try again in \d+ seconds?\./)
  await stage.confirm(visitor, email, 2)
  const { text } = await visitor.open('/portal')
  expect(text).not.toContain('Confirm your email')
  expect(text).toContain('We are reviewing your account.')
})

test('who has confirmed meanwhile sees the portal as it is now, and no letter is sent', async () => {
  const { visitor, email, page } = await unconfirmed()
  await stage.confirm(visitor, email)
  const answer = await visitor.press(page, 'Send a new link')
  expect([answer.path, answer.text.includes('Confirm your email')]).toEqual(['/portal', false])
  expect(stage.mailbox.to(email)).toHaveLength(1)
})
