import { expect, test } from 'vitest'
import { createWebhook } from '#server/webhooks/manage-endpoints.ts'
import { WebhookFixture } from './support/webhook-fixture.ts'

const fixture = new WebhookFixture()

test.each([
  ['http://localhost:4010/x', true, '"localhost" is not a public host name. %ADVICE Port 4010 is not allowed. Use 80 or 8080.'],
  [
    'http://localhost:4010/x',
    false,
    '"localhost" is not a public host name. %ADVICE The URL must start with https://. Port 4010 is not allowed. Use 443 or 8443.',
  ],
  ['https://192.168.1.1:4010/x', false, '192.168.1.1 is not a public address (private). Use one that is reachable from the internet. %ADVICE Port 4010'],
  ['https://hooks.example.com:4010/x', false, 'Port 4010 is not allowed. Use 443 or 8443.'],
])('names every problem of %s together, host first (development features: %s)', async (url, developmentFeatures, error) => {
  const advice = 'To receive events on your own machine, use `savings-rates listen`: see /docs/webhooks#test-on-your-own-machine.'
  const account = await fixture.account()
  const given = { url, types: ['rate.changed' as const], providers: [], accountTypes: [], minChangeBp: null, description: '' }
  const creation = createWebhook(fixture.deps({ developmentFeatures, allowsPrivate: false }), fixture.owner(account), given)
  await expect(creation).rejects.toMatchObject({ faults: { url: expect.stringContaining(error.replace('%ADVICE', advice)) } })
})
