import type { PortalStage } from '../../portal/support/portal-stage.ts'

let made = 0

/** Returns a unique changelog entry. */
const newChange = () => ({ kind: 'changed', title: `Change no. ${++made}`, body: 'Text.', endpointIds: [] })

const newLicence = () => ({ label: `v${3_000 + ++made}-01`, changes: 'Less is asked.', body: 'Text.', graceEndsOn: '2999-01-31' })

async function begunChange(stage: PortalStage) {
  const { title } = newChange()
  const [draft] = await stage.sql<{ id: string; revision: number }>(
    `INSERT INTO changelog_draft (public_id, kind, title, body) VALUES ('chg_' || $1, 'changed', $2, 'Text.') RETURNING public_id AS id, revision`,
    [made, title],
  )
  return draft ?? {}
}

async function begunLicence(stage: PortalStage) {
  const { label, graceEndsOn } = newLicence()
  const [draft] = await stage.sql<{ id: string; revision: number }>(
    `INSERT INTO licence_draft (public_id, label, changes, body, grace_ends_at) VALUES ('lic_' || $1, $2, 'More is asked.', 'Text.', $3) RETURNING public_id AS id, revision`,
    [made, label, graceEndsOn],
  )
  return draft ?? {}
}

/** Accepted inputs of the mutations that publish something. */
export const publishingInputs: Readonly<Record<string, (scene: { readonly stage: PortalStage }) => Promise<object>>> = {
  'admin.changelog.begin': async () => newChange(),
  'admin.changelog.rewrite': async ({ stage }) => ({ ...newChange(), ...(await begunChange(stage)) }),
  'admin.changelog.discard': ({ stage }) => begunChange(stage),
  'admin.changelog.publish': ({ stage }) => begunChange(stage),
  'admin.endpoints.setAvailability': async ({ stage }) => {
    // Toggles, because the previous test may have changed it.
    const [set] = await stage.sql("SELECT 1 FROM endpoint_override WHERE endpoint_id = 'fx.rates'")
    const [from, to] = set ? ['test-only', 'open'] : ['open', 'test-only']
    const { title, body } = newChange()
    return { endpoint: 'fx.rates', from, to, title, body }
  },
  'admin.licences.begin': async () => newLicence(),
  'admin.licences.rewrite': async ({ stage }) => ({ ...newLicence(), ...(await begunLicence(stage)) }),
  'admin.licences.discard': ({ stage }) => begunLicence(stage),
  'admin.licences.publish': ({ stage }) => begunLicence(stage),
}
