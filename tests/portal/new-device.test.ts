import { expect, test } from 'vitest'
import { portalStage } from './support/portal-stage.ts'

const stage = portalStage()

test('notifies the owner of new devices at most once in ten minutes', async () => {
  const { email } = await stage.member()
  await stage.sql("UPDATE account SET created_at = now() - interval '2 days' WHERE email = $1", [email])
  const letters = async () => (await stage.sql("SELECT FROM mail WHERE recipient = $1 AND kind = 'new-sign-in'", [email])).length
  for (let device = 0; device < 4; device++) expect((await stage.signIn(stage.visitor(), email)).path).toBe('/portal')
  expect(await letters()).toBe(1)
  await stage.sql("UPDATE attempt SET ends_at = now() - interval '1 second'", [])
  await stage.signIn(stage.visitor(), email)
  expect(await letters()).toBe(2)
})
