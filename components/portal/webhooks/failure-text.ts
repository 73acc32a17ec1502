/** Failed attempt: the status of the response, or the reason why there was no complete response. */
export type FailedAttempt = { readonly status: number | null; readonly fault: string | null }

const rejected = 'Make sure that the URL doesn’t require a sign-in and that no firewall blocks us. To authenticate us, verify the signature of each event.'

/** Explanations by status, most specific first. */
const byStatus: readonly (readonly [from: number, to: number, explanation: string])[] = [
  [300, 399, 'The URL redirects, and we don’t follow redirects. Enter the final URL.'],
  [401, 401, `Your server requires authentication (401). ${rejected}`],
  [403, 403, `Your server refused the request. ${rejected}`],
  [404, 404, 'Your server has nothing at this URL. Check the path.'],
  [405, 405, 'The URL doesn’t accept POST requests. Accept POST at this URL, or enter another URL.'],
  [408, 408, 'Your server took too long. Return 2xx first, then process the event.'],
  [410, 410, 'Your server returned 410 Gone, which tells us to stop sending events.'],
  [413, 413, 'The event is larger than your server accepts. Raise its limit for request bodies.'],
  [429, 429, 'Your server is rate limiting us (429). If this continues, raise its limit.'],
  [400, 499, 'Your server rejected the event. See its response for the reason.'],
  [500, 599, 'Your server had an error. Check its logs.'],
]

/** Explanations of attempts without a complete response, by the recorded reason. */
const byFault: readonly (readonly [pattern: RegExp, explanation: string])[] = [
  [/could not be resolved|has no address|ENOTFOUND|EAI_AGAIN/, 'The host name of the URL could not be found. Check the URL and your DNS records.'],
  [/within \d+ seconds\.$|ETIMEDOUT/, 'Your server didn’t finish its response within 10 seconds. Return 2xx first, then process the event.'],
  [/ECONNREFUSED/, 'Nothing is listening at this URL. Check that your server is running and its port is open.'],
  [/EHOSTUNREACH|ENETUNREACH/, 'We couldn’t reach your server. Check its network and firewall.'],
  [/CERT|certificate|self.signed|ERR_TLS|SSL|EPROTO/i, 'We could not verify your server’s TLS certificate. Check that it is valid and complete.'],
  [/ECONNRESET|EPIPE|socket hang up|without a response|cut off/, 'Your server closed the connection before it finished its response. Check its logs.'],
]

/** Explains why an attempt failed and what to do about it. Falls back to the recorded reason. */
export function failureText({ status, fault }: FailedAttempt): string | null {
  const incomplete = byFault.find(([pattern]) => pattern.test(fault ?? ''))
  if (incomplete) return incomplete[1]
  return byStatus.find(([from, to]) => status !== null && status >= from && status <= to)?.[2] ?? fault
}
