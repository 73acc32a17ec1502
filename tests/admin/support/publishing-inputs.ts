import type { PortalFixture } from '../../portal/support/portal-fixture.ts'

let made = 0

/** Returns a unique changelog entry. */
const newChange = () => ({ kind: 'changed', title: `Change no. ${++made}`, body: 'Text.', endpointIds: [] })

const newLicence = () => ({ label: `v${3_000 + ++made}-01`, changes: 'Less is asked.', body: 'Text.', graceEndsOn: '2999-01-31' })

async function begunChange(fixture: PortalFixture) {
  const { title } = newChange()
  const [draft] = await fixture.sql<{ id: string; revision: number }>(
    `INSERT INTO changelog_draft (public_id, kind, title, body) VALUES ('chg_' || $1, 'changed', $2, 'Text.') RETURNING public_id AS id, revision`,
    [made, title],
  )
  return draft ?? {}
}

async function openedIncident(fixture: PortalFixture) {
  const id = `inc_${++made}`
  await fixture.sql("INSERT INTO incident (public_id, title, impact, started_at) VALUES ($1, 'Rates are delayed', 'degraded', now())", [id])
  return { id }
}

const newUpdate = { impact: 'degraded', state: 'monitoring', body: 'We watch it.' }

async function begunLicence(fixture: PortalFixture) {
  const { label, graceEndsOn } = newLicence()
  const [draft] = await fixture.sql<{ id: string; revision: number }>(
    `INSERT INTO licence_draft (public_id, label, changes, body, grace_ends_at) VALUES ('lic_' || $1, $2, 'More is asked.', 'Text.', $3) RETURNING public_id AS id, revision`,
    [made, label, graceEndsOn],
  )
  return draft ?? {}
}

/** Valid inputs for the mutations that publish something. */
export const publishingInputs: Readonly<Record<string, (scene: { readonly fixture: PortalFixture }) => Promise<object>>> = {
  'admin.changelog.begin': async () => newChange(),
  'admin.changelog.rewrite': async ({ fixture }) => ({ ...newChange(), ...(await begunChange(fixture)) }),
  'admin.changelog.discard': ({ fixture }) => begunChange(fixture),
  'admin.changelog.publish': ({ fixture }) => begunChange(fixture),
  'admin.endpoints.setAvailability': async ({ fixture }) => {
    // Toggles the availability, because the previous test may have changed it.
    const [set] = await fixture.sql("SELECT 1 FROM endpoint_override WHERE endpoint_id = 'fx.rates'")
    const [from, to] = set ? ['test-only', 'open'] : ['open', 'test-only']
    const { title, body } = newChange()
    return { endpoint: 'fx.rates', from, to, title, body }
  },
  'admin.incidents.open': async () => ({ ...newUpdate, title: 'Rates are delayed', startedAt: '' }),
  'admin.incidents.update': async ({ fixture }) => ({ ...newUpdate, ...(await openedIncident(fixture)) }),
  'admin.licences.begin': async () => newLicence(),
  'admin.licences.rewrite': async ({ fixture }) => ({ ...newLicence(), ...(await begunLicence(fixture)) }),
  'admin.licences.discard': ({ fixture }) => begunLicence(fixture),
  'admin.licences.publish': ({ fixture }) => begunLicence(fixture),
}
