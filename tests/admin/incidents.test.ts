/** Tests how administrators open, update and resolve incidents, and what visitors see. */
import { expect } from 'vitest'
import { portalFixture } from '../portal/support/portal-for-file.ts'
import { getData, getError } from '../portal/support/visitor.ts'
import { verifies } from '../requirements/verifies.ts'

const fixture = portalFixture()

const opening = { title: 'Rates are delayed', impact: 'degraded', state: 'investigating', body: 'We look for the cause.', startedAt: '', reason: 'Alerts.' }

async function openIncident(more: object = {}) {
  const admin = await fixture.administrator()
  const call = (name: string, input: object) => admin.visitor.call(`admin.incidents.${name}`, 'mutation', input)
  const { id } = getData(await call('open', { ...opening, ...more }))
  const update = (input: object) => call('update', { id, impact: 'degraded', body: 'Text.', reason: 'Alerts.', ...input })
  return { admin, id, call, update, close: () => update({ state: 'resolved' }) }
}

const statusText = async () => (await fixture.visitor().open('/status')).text

verifies('site/incident-published', async () => {
  const { id, update } = await openIncident({ title: 'Rates are an hour late', startedAt: '2026-01-02 03:04' })
  const shown = await fixture.visitor().open('/status')
  expect(shown.text).toContain('Status The service is slower or less reliable than usual.')
  expect(shown.text).toMatch(
    /Open incidents Rates are an hour late Degraded performance Began on 2 January 2026 at 03:04 UTC ?\. Investigating .*? UTC We look for the cause\./,
  )
  expect(shown.html).toContain(`id="${id}"`)
  await update({ state: 'identified', impact: 'outage', body: 'A source is down.' })
  expect(await statusText()).toMatch(/Status Part of the service is down\..*Identified .*? A source is down\. Investigating .*? We look for the cause\./)
  await update({ state: 'resolved', impact: 'outage', body: 'Rates are current.' })
  const after = await statusText()
  expect(after).toContain('Status All systems operational.')
  expect(after).not.toContain('Open incidents')
  expect(after).toMatch(
    /Past incidents Rates are an hour late Resolved Began on 2 January 2026 at 03:04 UTC ?, resolved on .*? Resolved .*? Rates are current\./,
  )
})

verifies('site/incident-times', async () => {
  const past = { title: 'Past', state: 'resolved', startedAt: '2026-01-05 09:00', endedAt: '2026-01-05 09:30' }
  const { admin, call, id, update } = await openIncident(past)
  const span = /Began on 5 January 2026 at 09:00 UTC ?, resolved on 5 January 2026 at 09:30 UTC ?\./
  expect(await statusText()).toMatch(span)
  const { reason: _, ...planned } = { ...opening, ...past }
  const preview = getData(await admin.visitor.call('admin.incidents.preview', 'query', planned))
  expect(preview.lines).toContain('Began on 5 January 2026, 09:00 UTC, resolved on 5 January 2026, 09:30 UTC.')
  const [entry] = await fixture.sql<{ after: object }>("SELECT after FROM audit_entry WHERE action = 'incident.open' AND subject = $1", [id])
  expect(entry?.after).toMatchObject({ startedAt: '2026-01-05T09:00:00.000Z', resolvedAt: '2026-01-05T09:30:00.000Z' })
  // The end is ignored unless the state is resolved, and can be entered when the incident is resolved later.
  await update({ state: 'monitoring', endedAt: '2026-01-05 09:40' })
  expect(await statusText()).toMatch(/Open incidents Past .*? Began on 5 January 2026 at 09:00 UTC ?\./)
  const early = getError(await call('update', { id, impact: 'degraded', state: 'resolved', body: 'Text.', reason: 'Alerts.', endedAt: '2026-01-05 08:59' }))
  expect(early.data.fields).toEqual({ endedAt: 'The end must be after the start.' })
  await update({ state: 'resolved', endedAt: '2026-01-05 09:40' })
  expect(await statusText()).toContain('resolved on 5 January 2026 at 09:40 UTC')
})

verifies('site/incident-reopened', async () => {
  const { admin, update, close } = await openIncident({ title: 'It comes back' })
  const open = async () => getData(await admin.visitor.call('admin.now.list', 'query')).incidents.count
  const count = await open()
  await close()
  expect(await open()).toBe(count - 1)
  await update({ state: 'monitoring', body: 'It is back.' })
  expect(await statusText()).toMatch(/Open incidents It comes back/)
  await close()
  expect(await statusText()).not.toContain('Open incidents')
})

verifies('site/incident-feed', async () => {
  const { id, update } = await openIncident({ title: 'Feeds <late>' })
  await update({ state: 'resolved', body: 'All is well & current.' })
  const response = await fixture.visitor().send('/status.xml')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  const [entry = ''] = /<entry>[\s\S]*?<\/entry>/.exec(await response.text()) ?? []
  for (const part of [`/status#${id}</id>`, '<title>Feeds &lt;late&gt;</title>', 'label="Degraded performance"']) expect(entry).toContain(part)
  expect(entry).toMatch(/<content type="text">Resolved, .* GMT\nAll is well &amp; current\.\n\nInvestigating, .* GMT\nWe look for the cause\.<\/content>/)
})

verifies('site/incident-audited', async () => {
  const { admin, id, close } = await openIncident({ title: 'Audited' })
  await close()
  const lines = await fixture.sql('SELECT action, subject, reason, before, after FROM audit_entry WHERE actor_account_id = $1 ORDER BY id', [admin.id])
  expect(lines).toEqual([
    { action: 'incident.open', subject: id, reason: 'Alerts.', before: null, after: { title: 'Audited', impact: 'degraded', state: 'investigating' } },
    {
      action: 'incident.update',
      subject: id,
      reason: 'Alerts.',
      before: { impact: 'degraded', state: 'investigating' },
      after: { impact: 'degraded', state: 'resolved' },
    },
  ])
})

verifies('site/incident-checked', async () => {
  const { call, close } = await openIncident()
  const refused = async (input: object) => getError(await call('open', { ...opening, ...input })).data.fields
  expect(await refused({ title: ' ', body: '', reason: '' })).toEqual({
    title: 'Enter a title.',
    body: 'Enter what customers should know.',
    reason: 'Enter a reason. It is recorded in the audit log.',
  })
  expect(await refused({ startedAt: 'yesterday' })).toEqual({ startedAt: 'The start must be a UTC time such as 2026-11-26 14:05.' })
  expect(await refused({ startedAt: '2999-01-01 00:00' })).toEqual({ startedAt: 'The start must be in the past.' })
  const over = { state: 'resolved', startedAt: '2026-01-05 09:00' }
  expect(await refused({ ...over, endedAt: 'later' })).toEqual({ endedAt: 'The end must be a UTC time such as 2026-11-26 14:05.' })
  expect(await refused({ ...over, endedAt: '2999-01-01 00:00' })).toEqual({ endedAt: 'The end must be in the past.' })
  expect(await refused({ ...over, endedAt: '2026-01-05 09:00' })).toEqual({ endedAt: 'The end must be after the start.' })
  expect(await refused({ state: 'resolved', endedAt: '2026-01-05 09:30' })).toEqual({ startedAt: 'Enter the start too.' })
  expect((await call('update', { id: 'inc_none', impact: 'outage', state: 'resolved', body: 'Text.', reason: 'Alerts.' })).status).toBe(404)
  await close()
})
