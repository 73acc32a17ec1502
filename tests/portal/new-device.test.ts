import { expect, test } from 'vitest'
import { portalFixture } from './support/portal-for-file.ts'

const fixture = portalFixture()

test('notifies the owner of sign-ins on new devices at most once in ten minutes', async () => {
  const { email } = await fixture.member()
  await fixture.sql("UPDATE account SET created_at = now() - interval '2 days' WHERE email = $1", [email])
  const messages = async () => (await fixture.sql("SELECT FROM email WHERE recipient = $1 AND kind = 'new-sign-in'", [email])).length
  for (let device = 0; device < 4; device++) expect((await fixture.signIn(fixture.visitor(), email)).path).toBe('/portal')
  expect(await messages()).toBe(1)
  await fixture.sql("UPDATE throttle SET ends_at = now() - interval '1 second'", [])
  await fixture.signIn(fixture.visitor(), email)
  expect(await messages()).toBe(2)
})
