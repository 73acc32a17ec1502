import { createHmac } from 'node:crypto'
import { randomBase62 } from '#server/ids.ts'

const secretLength = 40

/** Generates an endpoint's signing secret. Receivers use it as is, including the prefix. */
export const newSigningSecret = (): string => `whsec_${randomBase62(secretLength)}`

/** Returns the value of X-SVC-Signature: the time and, for each active secret, the hex HMAC-SHA256 of `<time>.<body>`. The newest secret comes first. */
export function sign(body: string, secrets: readonly string[], nowMs: number): string {
  const time = Math.floor(nowMs / 1_000)
  return [`t=${time}`, ...secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`)].join()
}
