import { expect } from 'vitest'
import { verifies } from '../requirements/verifies.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData } from './support/visitor.ts'

const fixture = portalFixture()

async function publish(label: string, graceEndsInSeconds: number, at = "now() - interval '1 hour'"): Promise<void> {
  await fixture.sql(
    `INSERT INTO licence_version (label, published_at, grace_ends_at, changes) VALUES ($1, ${at}, now() + make_interval(secs => $2), 'Attribution may be shorter.')`,
    [label, graceEndsInSeconds],
  )
  await fixture.sql('UPDATE service_state SET version = version + 1')
}

verifies('portal/licence-reacceptance', async () => {
  const { visitor, id } = await fixture.member()
  const { key } = getData(
    await visitor.call('keys.create', 'mutation', { mode: 'live', name: 'Feed', scopes: ['rates:read'], addresses: '', cap: '', expires: '' }),
  )
  const call = async () => {
    const response = await fetch(`${fixture.origin}/v1/rates?limit=1`, { headers: { authorization: `Bearer ${key}` } })
    return [response.status, ((await response.json()) as { error?: string }).error]
  }
  await publish('v2098-01', 86_400)
  expect(await call()).toEqual([200, undefined])
  const notice = await visitor.open('/portal')
  expect(notice.text).toMatch(/Calls stop on \d+ \w+ \d{4} unless you accept\./)
  await fixture.sql("UPDATE licence_version SET grace_ends_at = now() - interval '1 minute' WHERE label = 'v2098-01'")
  await fixture.sql('UPDATE service_state SET version = version + 1')
  expect(await call()).toEqual([403, 'licence_reacceptance_required'])
  const page = await visitor.open('/portal/licence')
  expect(page.text).toContain('Attribution may be shorter.')
  expect(page.text).toMatch(/Calls stopped on .* They resume once you accept\./)
  // A page opened earlier can't accept a version that it didn't show.
  await publish('v2099-01', 86_400, 'now()')
  const outdated = await visitor.submitForm(page, 'Accept v2098-01')
  expect(outdated.text).toContain('A newer version of the Data Licence has been published.')
  expect(await fixture.sql('SELECT accepted_licence FROM account WHERE id = $1', [id])).not.toEqual([{ accepted_licence: 'v2098-01' }])
  await fixture.sql("DELETE FROM licence_version WHERE label = 'v2099-01'")
  await fixture.sql('UPDATE service_state SET version = version + 1')
  await visitor.submitForm(page, 'Accept v2098-01')
  expect((await visitor.open('/portal/licence')).text).toContain('You have accepted this version.')
  expect(await call()).toEqual([200, undefined])
  expect((await visitor.open('/portal')).text).not.toContain('unless you accept')
  const [entry] = await fixture.sql<{ after: object }>(`SELECT after FROM audit_entry WHERE account_id = $1 AND action = 'licence.accept'`, [id])
  expect(entry?.after).toEqual({ label: 'v2098-01' })
})
