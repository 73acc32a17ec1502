import { writeBoundedAudit } from '#server/accounts/bounded-audit.sql.ts'
import { getNetwork } from '#server/keys/address-list.ts'
import type { Asker, AuthContext } from './auth-context.ts'

type Recorder = Pick<AuthContext, 'pool' | 'log'>

/** Failed attempts, as recorded in an account's history. */
type Failure = 'sign-in.fail' | 'sign-in.lock-out' | 'reauthentication.fail'

/** Logs an event concerning sign-in, sessions or the second factor. `account` is an id; null if unknown. */
export function logSecurityEvent({ log }: Pick<AuthContext, 'log'>, asker: Pick<Asker, 'address'>, event: string, account: string | number | null): void {
  log.info({ event, account, network: getNetwork(asker.address) }, `Security event: ${event}`)
}

/** Maximum history entries of one kind per account and hour. The log contains all failures. */
const maxFailuresAnHour = 5

/**
 * Logs a failed attempt and adds it to the account's history. The response doesn't wait for it, and an unknown account runs the same statement, so neither
 * the work done nor the time taken reveals whether the account exists.
 */
export function recordFailure({ pool, log }: Recorder, asker: Asker, event: Failure, publicId: string | null): void {
  logSecurityEvent({ log }, asker, event, publicId)
  writeBoundedAudit(pool, { publicId, action: event, address: asker.address }, maxFailuresAnHour).catch((error: unknown) => {
    log.error({ err: error, event }, 'Failed to record a security event.')
  })
}

/** Logs a refused attempt to reach the admin area. `what` is a path or a procedure. */
export function logRefusedAdmin({ log }: Pick<AuthContext, 'log'>, address: string | null, account: string | null, what: string): void {
  const refused = { event: 'admin.refuse', account, network: getNetwork(address), what: what.slice(0, 100) }
  if (account === null) log.info(refused, 'Refused an unauthenticated request for the admin area.')
  else log.warn(refused, 'Refused a request for the admin area.')
}
