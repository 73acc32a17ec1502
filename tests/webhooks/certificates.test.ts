/** Tests that nothing is sent until the URL has been checked again and the receiver has presented a trusted certificate for its host name. */
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getDelivery } from '#server/webhooks/deliveries.ts'
import { cites } from '../requirements/verifies.ts'
import { certificateFor } from './support/certificate.ts'
import { Receiver } from './support/receiver.ts'
import { WebhookFixture } from './support/webhook-fixture.ts'

cites('webhooks/addresses-checked')

const fixture = new WebhookFixture()

describe('over TLS', () => {
  const certificate = certificateFor('secure.hooks.co')
  const before = tls.getCACertificates('default')
  beforeAll(() => tls.setDefaultCACertificates([...before, certificate.cert]))
  afterAll(() => tls.setDefaultCACertificates(before))

  async function sendSecurely(host: string, shown = certificate) {
    const receiver = await Receiver.open({ tls: shown })
    const account = await fixture.account()
    const endpoint = await fixture.endpoint(account, { url: receiver.url('/hook', host) })
    await fixture.one()
    await fixture.drain()
    await receiver.close()
    const [attempt] = (await getDelivery(fixture.deps(), account.id, (await fixture.delivery(endpoint)).id)).tries
    return { attempt, got: receiver.got }
  }

  test('verifies the certificate against the host name, even though the connection uses an IP address', async () => {
    const { attempt, got } = await sendSecurely('secure.hooks.co')
    expect(attempt).toMatchObject({ isDelivered: true, fault: null })
    expect(got).toHaveLength(1)
  })

  test('rejects certificates for a different host name or from an unknown authority before sending anything', async () => {
    for (const sent of [
      await sendSecurely('other.hooks.co'),
      await sendSecurely('127.0.0.1'),
      await sendSecurely('secure.hooks.co', certificateFor('secure.hooks.co')),
    ]) {
      expect(sent.attempt).toMatchObject({ isDelivered: false, status: null, fault: expect.stringMatching(/certificate|altnames/i) })
      expect(sent.got).toEqual([])
    }
  })
})

test('checks the URL again before each attempt', async () => {
  for (const [url, why] of [
    [fixture.receiver.url(), 'https://'],
    [`https://hooks.example.com:${fixture.receiver.port}/`, 'is not allowed'],
  ] as const) {
    const account = await fixture.account()
    const endpoint = await fixture.endpoint(account, { url })
    await fixture.one()
    await fixture.drain({}, { developmentFeatures: false, allowsPrivate: false })
    const [attempt] = (await getDelivery(fixture.deps(), account.id, (await fixture.delivery(endpoint)).id)).tries
    expect(attempt).toMatchObject({ isDelivered: false, status: null, fault: expect.stringContaining(why) })
    await fixture.pool.query("UPDATE webhook_endpoint SET state = 'paused' WHERE public_id = $1", [endpoint.id])
  }
  expect(fixture.receiver.got).toEqual([])
})
