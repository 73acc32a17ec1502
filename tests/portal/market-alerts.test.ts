/** Tests the portal's procedures for market alerts. The rules are tested in tests/alerts. */
import { expect } from 'vitest'
import { maxAlerts } from '#server/api/contract/market-alerts.ts'
import { verifies } from '../requirements/verifies.ts'
import { anAlert } from './support/alert-cases.ts'
import { portalFixture } from './support/portal-for-file.ts'
import { getData, getError } from './support/visitor.ts'

const fixture = portalFixture()

verifies('alerts/portal', async () => {
  const { visitor, email } = await fixture.member()
  const call = (name: string, input?: object) => visitor.call(`alerts.${name}`, ['list', 'read', 'preview'].includes(name) ? 'query' : 'mutation', input)
  const preview = getData(await call('preview', anAlert))
  expect(preview.count).toBeGreaterThan(5)
  expect(preview.samples).toHaveLength(5)
  const { id } = getData(await call('create', { ...anAlert, filter: 'newCustomersOnly=false', minRate: ' 4.5% ' }))
  expect(getData(await call('list'))).toMatchObject({
    max: maxAlerts.hobby,
    alerts: [{ id, owner: email, filter: { minRate: '4.5', newCustomersOnly: 'false' }, byEmail: true, byWebhook: false, isPaused: false }],
  })
  await call('pause', { id })
  expect(getData(await call('read', { id }))).toMatchObject({ isPaused: true, notifications: [] })
  await call('resume', { id })
  await call('update', { ...anAlert, id, kind: 'bank-rate', delivery: ['webhook'] })
  expect(getData(await call('read', { id }))).toMatchObject({ isPaused: false, kind: 'bank-rate', filter: {}, byEmail: false, byWebhook: true })
  const refused = await call('create', { ...anAlert, filter: 'minRate=4', minRate: 'high' })
  expect(getError(refused).data.fields).toEqual({ filter: expect.stringContaining('"minRate" must be a percentage') })
  expect((await call('delete', { id })).status).toBe(200)
  expect(getData(await call('list')).alerts).toEqual([])
})
