import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { clock } from '#server/clock.ts'
import { countAttempt, forgetAttempts, forgiveAttempts } from './throttle.store.ts'

/** What is counted, how many are allowed, and in how many seconds. */
export type Limit = { readonly name: string; readonly allowed: number; readonly windowSeconds: number }

const minutes = (n: number): number => n * 60

/** Attempts are counted before they are looked at, so that a thousand at the same moment are not all let through. */
export const limits = {
  /** Passwords tried for one address from one network, by browsers that never signed in to it. */
  strangers: { name: 'sign-in strangers', allowed: 10, windowSeconds: minutes(15) },
  /** The same from all networks together: so many that nobody uses them up alone, and too few to guess a password of twelve characters. */
  address: { name: 'sign-in address', allowed: 100, windowSeconds: minutes(15) },
  /** Passwords tried by one browser that has signed in to the account before. Strangers cannot use these up. */
  device: { name: 'sign-in device', allowed: 10, windowSeconds: minutes(15) },
  /** Passwords tried from one network address, whatever the account. */
  network: { name: 'sign-in network', allowed: 50, windowSeconds: minutes(15) },
  /** Sign-ins that succeed, by account: each is a session and may be a letter. */
  signIns: { name: 'sign-ins', allowed: 30, windowSeconds: minutes(10) },
  /** Codes of the second factor, by account, at the sign-in and when it is set up. Both need the password or a recent sign-in first. */
  code: { name: 'code', allowed: 10, windowSeconds: minutes(15) },
  /** Password asked for again, by account. Only who is signed in or reads the mail of the account gets here. */
  reauthentication: { name: 'reauthentication', allowed: 10, windowSeconds: minutes(15) },
  /** Departures to an identity provider, by network address. Each asks the provider for its settings. */
  provider: { name: 'provider', allowed: 60, windowSeconds: minutes(15) },
  /** Returns from one, by network address. Each asks the provider for what its code is worth. */
  providerReturn: { name: 'provider return', allowed: 60, windowSeconds: minutes(15) },
  signUp: { name: 'sign-up', allowed: 20, windowSeconds: minutes(60) },
  /** Changes of email that an account asks for: each has us write to an address that may be a stranger's. */
  emailChange: { name: 'email change', allowed: 5, windowSeconds: minutes(60) },
  /** The same from one network address, whatever the account. */
  emailChangeNetwork: { name: 'email change network', allowed: 20, windowSeconds: minutes(60) },
  reset: { name: 'reset', allowed: 20, windowSeconds: minutes(60) },
  /** Links spent, by network address: guessing one is hopeless, and this keeps it quiet. */
  links: { name: 'links', allowed: 100, windowSeconds: minutes(15) },
  resend: { name: 'resend', allowed: 1, windowSeconds: 30 },
} as const satisfies Record<string, Limit>

/** Too many attempts. Nothing was looked at. */
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

/** The table holds hashes, so that it is no list of who was asked for. */
const bucketOf = (limit: Pick<Limit, 'name'>, who: string): Buffer => createHash('sha256').update(`${limit.name}\0${who}`).digest()

/** Counts an attempt. Returns what takes it back. @throws ThrottledError when it is one too many. */
export async function attempt(pool: Pool, ...counted: readonly (readonly [limit: Limit, who: string])[]): Promise<{ forgive: () => Promise<void> }> {
  const buckets: Buffer[] = []
  for (const [limit, who] of counted) {
    const bucket = bucketOf(limit, who)
    const { used, endsAt } = await countAttempt(pool, bucket, limit.windowSeconds)
    if (used > limit.allowed) throw new ThrottledError(Math.max(1, Math.ceil((endsAt.getTime() - clock.now()) / 1_000)))
    buckets.push(bucket)
  }
  return { forgive: () => forgiveAttempts(pool, buckets) }
}

/** Whether something is the first of its kind for somebody in so many seconds. It is counted, and refused to nobody. */
export async function isFirstOf(pool: Pool, { name, windowSeconds }: Omit<Limit, 'allowed'>, who: string): Promise<boolean> {
  return (await countAttempt(pool, bucketOf({ name }, who), windowSeconds)).used === 1
}

/** Lets somebody begin anew: whoever proved to be the owner is not to wait for what strangers tried. */
export const beginAnew = (pool: Pool, limit: Limit, who: string): Promise<void> => forgetAttempts(pool, bucketOf(limit, who))
