import { expect, test } from 'vitest'
import { portalFixture } from '../portal/support/portal-for-file.ts'

const portal = portalFixture()

const passwordInputs = (html: string) => html.match(/<input\b[^>]*name="(?:password|currentPassword)"[^>]*>/g) ?? []

async function formsWithPasswords(): Promise<Map<string, string[]>> {
  const member = await portal.member()
  const pages = [await portal.visitor().open('/sign-in'), await portal.visitor().open('/sign-up'), await member.visitor.open('/portal/settings/security')]
  return new Map(pages.map(({ path, html }) => [path, passwordInputs(html)]))
}

test('masks password fields, and identifies them to password managers', async () => {
  for (const [path, inputs] of await formsWithPasswords()) {
    expect(inputs.length, path).toBeGreaterThan(0)
    for (const input of inputs) {
      expect(input, path).toMatch(/ type="password"/)
      expect(input, path).toMatch(/ autoComplete="(?:current|new)-password"/i)
    }
  }
})

test('allows pasting and input of any length in password fields', async () => {
  for (const [path, inputs] of await formsWithPasswords()) for (const input of inputs) expect(input, path).not.toMatch(/onpaste|maxlength|readonly|pattern=/i)
})

test('has no password hints or security questions', async () => {
  const { visitor } = await portal.member()
  for (const path of ['/sign-up', '/sign-in', '/reset', '/portal/settings', '/portal/settings/security']) {
    const { text } = await visitor.open(path)
    expect(text, path).not.toMatch(/hint for|secret question|security question|maiden name/i)
  }
})
