import type { PoolClient } from 'pg'
import { limitsOf } from '#server/api/contract/plans.ts'
import { newPublicId } from '#server/ids.ts'
import { insertAccount } from './accounts.store.ts'

export type SignUpRequest = {
  readonly email: string
  /** Null: it signs in through an identity provider only. */
  readonly passwordHash: string | null
  /** When somebody vouched for the address, or null: it has to be confirmed. */
  readonly emailVerifiedAt: Date | null
  readonly acceptedLicence: string
}

/** Makes an account of a sign-up: on the smallest plan, waiting for its review, without credits. Null when the address is given as confirmed and is another's. */
export async function newAccount(client: PoolClient, request: SignUpRequest): Promise<{ id: number; publicId: string } | null> {
  const publicId = newPublicId('acc')
  const plan = 'hobby'
  const id = await insertAccount(client, {
    ...request,
    publicId,
    plan,
    role: 'member',
    state: 'review',
    limits: limitsOf(plan, { perMinute: null, perDay: null }),
  })
  return id === null ? null : { id, publicId }
}
