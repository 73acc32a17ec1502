import { createHmac } from 'node:crypto'
import { randomBase62 } from '#server/ids.ts'

const secretLength = 40

/** A new secret of an endpoint: what its receiver checks signatures with, as it stands, beginning included. */
export const newSigningSecret = (): string => `whsec_${randomBase62(secretLength)}`

/** The value of X-SVC-Signature: a time and, for each secret that holds, the HMAC-SHA256 of `<time>.<body>` in hex. The newest comes first. */
export function signatureOf(body: string, secrets: readonly string[], nowMs: number): string {
  const time = Math.floor(nowMs / 1_000)
  return [`t=${time}`, ...secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`)].join()
}
