import { createHash } from 'node:crypto'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/db/prisma.ts'

/** Rate limit: number of attempts allowed per window. */
export type Limit = { readonly name: string; readonly allowed: number; readonly windowSeconds: number }

const minutes = (n: number): number => n * 60

/** Attempts are counted before they are processed, so that concurrent ones can't all get through. */
export const limits = {
  /** Password attempts for one email address from one network, by browsers that have never signed in to that account. */
  unauthenticated: { name: 'sign-in addresses', allowed: 10, windowSeconds: minutes(15) },
  /**
   * Passwords tried for one email address from one site (an IPv4 address or IPv6 /48), by browsers that have never signed in to that account. Stops an attacker
   * with many networks in one site from exhausting the limit per email address.
   */
  unauthenticatedSite: { name: 'sign-in addresses of a site', allowed: 30, windowSeconds: minutes(15) },
  /**
   * Passwords tried for one email address from all networks: enough that one attacker can't exhaust the limit alone, but too few to guess a 12-character
   * password.
   */
  address: { name: 'sign-in address', allowed: 100, windowSeconds: minutes(15) },
  /** Passwords tried by a browser that has signed in to the account before. Other browsers can't exhaust this limit. */
  device: { name: 'sign-in device', allowed: 10, windowSeconds: minutes(15) },
  /** Passwords tried from one network, for any account. */
  network: { name: 'sign-in network', allowed: 50, windowSeconds: minutes(15) },
  /** Successful sign-ins per account: each creates a session and may send an email. */
  signIns: { name: 'sign-ins', allowed: 30, windowSeconds: minutes(10) },
  /** Second factor codes per account, at sign-in and set-up. Both require the password or a recent sign-in first. */
  code: { name: 'code', allowed: 10, windowSeconds: minutes(15) },
  /** Second factor codes per account and day: too few for an attacker to guess one of the three valid codes within a year. */
  codeDay: { name: 'code day', allowed: 50, windowSeconds: minutes(1_440) },
  /** Passwords and codes tried per account, by users who are signed in or have opened a link sent to the account's email address. */
  reauthentication: { name: 'reauthentication', allowed: 10, windowSeconds: minutes(15) },
  /** Redirects to an identity provider per network. Each requests the provider's configuration. */
  provider: { name: 'provider', allowed: 60, windowSeconds: minutes(15) },
  /** Callbacks from an identity provider per network. Each exchanges a code with the provider. */
  providerReturn: { name: 'provider return', allowed: 60, windowSeconds: minutes(15) },
  /** Redirects to, and callbacks from, the provider of one organisation. High enough that one network can't exhaust it alone. */
  organisationProvider: { name: 'organisation provider', allowed: 3_000, windowSeconds: minutes(15) },
  /** Password changes per account. Each sends an email. */
  passwordChange: { name: 'password change', allowed: 10, windowSeconds: minutes(60) },
  signUp: { name: 'sign-up', allowed: 20, windowSeconds: minutes(60) },
  /** Email changes requested per account. Each sends an email to an address that may be someone else's. */
  emailChange: { name: 'email change', allowed: 5, windowSeconds: minutes(60) },
  /** Email changes requested per network, for any account. */
  emailChangeNetwork: { name: 'email change network', allowed: 20, windowSeconds: minutes(60) },
  reset: { name: 'reset', allowed: 20, windowSeconds: minutes(60) },
  /** Emailed links opened per network. Their tokens can't be guessed anyway; this limits the load. */
  links: { name: 'links', allowed: 100, windowSeconds: minutes(15) },
  /** Sign-ups and password resets requested from one site (an IPv4 address or IPv6 /48), for any email address. Each sends an email. */
  emailsOfSite: { name: 'emails of a site', allowed: 60, windowSeconds: minutes(60) },
  /** Messages to support per account. Each sends an email to the administrators. */
  supportMessages: { name: 'support messages', allowed: 10, windowSeconds: minutes(60) },
  /** Messages to support per account with an unconfirmed email address, which may belong to someone else. */
  unconfirmedMessages: { name: 'unconfirmed messages', allowed: 3, windowSeconds: minutes(24 * 60) },
  /** Messages to support from one network, for any account. */
  networkMessages: { name: 'network messages', allowed: 20, windowSeconds: minutes(60) },
  /** Invitations sent by an account. Each sends an email to an address that may be someone else's. */
  invitations: { name: 'invitations', allowed: 20, windowSeconds: minutes(60) },
  /** Single sign-on providers saved by an account. Each requests the configuration of a server that the owner names. */
  providerChecks: { name: 'provider checks', allowed: 20, windowSeconds: minutes(60) },
  /** Status emails requested for one address. Each sends an email. */
  statusAddress: { name: 'status address', allowed: 3, windowSeconds: minutes(60) },
  /** Status emails requested from one network, for any address. */
  statusNetwork: { name: 'status network', allowed: 10, windowSeconds: minutes(60) },
  /** Applications registered from one network. Cloud services register one for each of their users. */
  oauthRegistration: { name: 'oauth registration', allowed: 200, windowSeconds: minutes(60) },
  /** Authorisation codes presented from one network, for any account. */
  oauthToken: { name: 'oauth token', allowed: 300, windowSeconds: minutes(15) },
  /** Applications approved by an account. Each approval stores a code. */
  oauthApproval: { name: 'oauth approval', allowed: 60, windowSeconds: minutes(60) },
  /** Keys revoked by applications from one network, for any account. */
  oauthRevocation: { name: 'oauth revocation', allowed: 300, windowSeconds: minutes(15) },
  /** Changes to market alerts per account, in the portal and by API. Each evaluates the alert against the market. */
  alertChanges: { name: 'alert changes', allowed: 300, windowSeconds: minutes(60) },
  /** Webhook endpoints created per account, in the portal and by API. Their rows are kept for as long as their deliveries. */
  webhooksCreated: { name: 'webhooks created', allowed: 60, windowSeconds: minutes(60) },
  /** Purchases started by an account. Each new one opens a checkout at Stripe, whose rate limit is shared by all accounts. */
  purchases: { name: 'purchases', allowed: 60, windowSeconds: minutes(60) },
  /** Changes to the billing details of an account. Each closes its open checkouts at Stripe. */
  billingDetails: { name: 'billing details', allowed: 60, windowSeconds: minutes(60) },
  resend: { name: 'resend', allowed: 1, windowSeconds: 30 },
} as const satisfies Record<string, Limit>

/** Thrown if there were too many attempts. The attempt was not processed. */
export class ThrottledError extends Error {
  readonly waitSeconds: number

  constructor(waitSeconds: number) {
    const wait =
      waitSeconds < 60 ? `${waitSeconds} second${waitSeconds === 1 ? '' : 's'}` : `${Math.ceil(waitSeconds / 60)} minute${waitSeconds > 60 ? 's' : ''}`
    super(`Too many attempts. Try again in ${wait}.`)
    this.name = 'ThrottledError'
    this.waitSeconds = waitSeconds
  }
}

type Bucket = Buffer<ArrayBuffer>

/** Hashes the bucket name, so that the table doesn't list email addresses. */
const toBucket = (limit: Pick<Limit, 'name'>, who: string): Bucket => createHash('sha256').update(`${limit.name}\0${who}`).digest()

/**
 * Counts an attempt in a bucket. Returns the number of attempts in the current window, and when the window ends. Runs two statements, each safe against
 * concurrent attempts.
 */
async function countAttempt(pool: Database, bucket: Bucket, windowSeconds: number): Promise<{ used: number; endsAt: Date }> {
  const now = clock.now()
  const endsAt = new Date(now + windowSeconds * 1_000)
  await pool.throttle.updateMany({ where: { bucket, endsAt: { lte: new Date(now) } }, data: { used: 0, endsAt } })
  const data = { create: { bucket, used: 1, endsAt }, update: { used: { increment: 1 } } }
  return pool.throttle.upsert({ where: { bucket }, ...data, select: { used: true, endsAt: true } })
}

/** Counts attempts against limits. Returns a function that undoes the count. @throws ThrottledError if a limit is exceeded. */
export async function attempt(pool: Database, ...counted: readonly (readonly [limit: Limit, who: string])[]): Promise<{ forgive: () => Promise<void> }> {
  const buckets: Bucket[] = []
  for (const [limit, who] of counted) {
    const bucket = toBucket(limit, who)
    const { used, endsAt } = await countAttempt(pool, bucket, limit.windowSeconds)
    if (used > limit.allowed) throw new ThrottledError(Math.max(1, Math.ceil((endsAt.getTime() - clock.now()) / 1_000)))
    buckets.push(bucket)
  }
  const forgive = async () => {
    for (const bucket of buckets) await pool.throttle.updateMany({ where: { bucket, used: { gt: 0 } }, data: { used: { decrement: 1 } } })
  }
  return { forgive }
}

/** Counts an event and returns true if it is the first for this key within the window. Unlike `attempt`, never throws a ThrottledError. */
export async function isFirstInWindow(pool: Database, { name, windowSeconds }: Omit<Limit, 'allowed'>, who: string): Promise<boolean> {
  return (await countAttempt(pool, toBucket({ name }, who), windowSeconds)).used === 1
}

/** Resets a limit for a user who has proved that they own the account, so that attempts by others don't delay them. */
export async function resetLimit(pool: Database, limit: Limit, who: string): Promise<void> {
  await pool.throttle.deleteMany({ where: { bucket: toBucket(limit, who) } })
}

/** Deletes expired windows. */
export async function forgetWindows(pool: Database): Promise<void> {
  await pool.throttle.deleteMany({ where: { endsAt: { lt: new Date(clock.now()) } }, limit: 10_000 })
}
