import { afterAll, beforeAll, expect, test } from 'vitest'
import { blockAccount } from '#server/accounts/accounts.ts'
import { verifies } from '../requirements/verifies.ts'
import { PortalFixture } from './support/portal-fixture.ts'

const [fixture, silent] = [new PortalFixture(), new PortalFixture()]

beforeAll(async () => {
  await fixture.open({ SUPPORT_EMAIL: 'support@example.test' })
  await silent.open({ NODE_ENV: '', SUPPORT_EMAIL: '' })
})
afterAll(async () => {
  await fixture.close()
  await silent.close()
})

verifies('site/support-address', 'shows the support address and the details to include', async () => {
  const page = await fixture.visitor().open('/help')
  expect(page.status).toBe(200)
  expect(page.html).toContain('href="mailto:support@example.test"')
  expect(page.text).toContain('req_')
  for (const path of ['/docs', '/docs/errors', '/status']) expect(page.html).toContain(`href="${path}"`)
})

test('shows no email address if none is configured', async () => {
  const { text, html } = await silent.visitor().open('/help')
  expect(html).not.toContain('mailto:')
  expect(text).toContain('No support address is configured.')
  expect(html).toContain('href="/status"')
})

const helpLinks = (html: string): string[] =>
  [...html.matchAll(/<a [^>]*href="(?:\/portal)?\/help"[^>]*>(?:<svg[\s\S]*?<\/svg>)?([^<]+)/g)].map(([, label = '']) => label)

test('the sidebar, the footer and every notice that mentions support link to the help page', async () => {
  const [member, refused, blocked] = [await fixture.member(), await fixture.member({ isApproved: false }), await fixture.member()]
  expect(helpLinks((await member.visitor.open('/portal')).html)).toContain('Help')
  expect(helpLinks((await fixture.visitor().open('/docs')).html)).toContain('Help')
  await fixture.sql("UPDATE account SET declined_at = now(), decline_reason = 'We could not tell who you are.' WHERE id = $1", [refused.id])
  expect(helpLinks((await refused.visitor.open('/portal')).html)).toContain('contact support')
  await blockAccount(fixture.pool, blocked.email, 'A check is under way.')
  expect(helpLinks((await blocked.visitor.open('/portal')).html)).toContain('Contact support')
})

verifies('site/support-address', 'the privacy page and security.txt give the support address', async () => {
  expect((await fixture.visitor().open('/privacy')).html).toContain('href="mailto:support@example.test"')
  expect(await (await fixture.visitor().send('/.well-known/security.txt')).text()).toContain('Contact: mailto:support@example.test\n')
})
