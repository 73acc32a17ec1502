import { expect, test } from 'vitest'
import { failureText } from '#components/portal/webhooks/failure-text.ts'

test.each([
  [{ status: null, fault: 'No complete response within 10 seconds.' }, /within 10 seconds/],
  [{ status: 200, fault: 'No complete response within 10 seconds.' }, /within 10 seconds/],
  [{ status: null, fault: 'The host name could not be resolved within 10 seconds.' }, /host name of the URL could not be found/],
  [{ status: null, fault: 'The host name "hooks.example.test" could not be resolved (ENOTFOUND).' }, /host name of the URL could not be found/],
  [{ status: null, fault: 'connect ECONNREFUSED 203.0.113.7:443' }, /Nothing is listening/],
  [{ status: null, fault: 'self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)' }, /TLS certificate/],
  [{ status: null, fault: 'The connection closed without a response.' }, /closed the connection/],
  [{ status: 200, fault: 'The response was cut off.' }, /closed the connection/],
  [{ status: 301, fault: 'The receiver returned 301. Redirects are not followed.' }, /Enter the final URL/],
  [{ status: 403, fault: 'The receiver returned 403.' }, /refused the request/],
  [{ status: 404, fault: 'The receiver returned 404.' }, /nothing at this URL/],
  [{ status: 422, fault: 'The receiver returned 422.' }, /rejected the event/],
  [{ status: 503, fault: 'The receiver returned 503.' }, /Your server had an error/],
])('explains %j in plain words', (attempt, explanation) => {
  expect(failureText(attempt)).toMatch(explanation)
})

test('shows other reasons unchanged', () => {
  const fault = 'The host name resolves to an address that is not public (private). Nothing was sent.'
  expect(failureText({ status: null, fault })).toBe(fault)
})
