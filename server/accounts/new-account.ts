import type { PoolClient } from 'pg'
import { getLimits } from '#server/api/contract/plans.ts'
import { newPublicId } from '#server/ids.ts'
import { insertAccount } from './accounts.store.ts'

export type SignUpRequest = {
  readonly email: string
  /** Null if the account signs in through an identity provider only. */
  readonly passwordHash: string | null
  /** Time at which a provider verified the address; null if it still has to be confirmed. */
  readonly emailVerifiedAt: Date | null
  readonly acceptedLicence: string
}

/**
 * Creates an account for a sign-up: on the smallest plan, in review, without credits. Returns null if `emailVerifiedAt` is set and another confirmed account
 * has the email.
 */
export async function newAccount(client: PoolClient, request: SignUpRequest): Promise<{ id: number; publicId: string } | null> {
  const publicId = newPublicId('acc')
  const plan = 'hobby'
  const id = await insertAccount(client, {
    ...request,
    publicId,
    plan,
    role: 'member',
    state: 'review',
    limits: getLimits(plan, { perMinute: null, perDay: null }),
  })
  return id === null ? null : { id, publicId }
}
