import { writeBoundedAudit } from '#server/accounts/audit.ts'
import { networkOf } from '#server/keys/address-list.ts'
import type { Asker, AuthRoom } from './auth-room.ts'

type Recorder = Pick<AuthRoom, 'pool' | 'log'>

/** Failed attempts in the history of an account. */
type Failure = 'sign-in.fail' | 'sign-in.lock-out' | 'reauthentication.fail'

/** Logs an event of sign-in, session or second factor. `account` is an id; null if the account is unknown. */
export function logSecurityEvent({ log }: Pick<AuthRoom, 'log'>, asker: Pick<Asker, 'address'>, event: string, account: string | number | null): void {
  log.info({ event, account, network: networkOf(asker.address) }, `Security event: ${event}`)
}

/** Entries of one kind in the history of an account in an hour. The log has them all. */
const maxFailuresAnHour = 5

/**
 * Logs a failed attempt and adds it to the history of the account. The response does not wait for it, and an unknown account takes the same statement, so
 * that neither the work nor the time tells whether the account exists.
 */
export function recordFailure({ pool, log }: Recorder, asker: Asker, event: Failure, publicId: string | null): void {
  logSecurityEvent({ log }, asker, event, publicId)
  writeBoundedAudit(pool, { publicId, action: event, address: asker.address }, maxFailuresAnHour).catch((error: unknown) => {
    log.error({ err: error, event }, 'Failed to record a security event.')
  })
}

/** Logs a refused attempt to reach the admin area. `what` is a path or a procedure. */
export function logRefusedAdmin({ log }: Pick<AuthRoom, 'log'>, address: string | null, account: string | null, what: string): void {
  const refused = { event: 'admin.refuse', account, network: networkOf(address), what: what.slice(0, 100) }
  if (account === null) log.info(refused, 'Refused an unauthenticated request for the admin area.')
  else log.warn(refused, 'Refused a request for the admin area.')
}
