import { writeAudit } from '#server/accounts/audit.ts'
import { manageScope } from '#server/api/contract/access.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import type { Database, Transaction } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { changedDetails, isWider, type KeyAccess } from './key-access.ts'
import { type KeyOwner, lockOpenAccount } from './manage-own-keys.ts'
import { findKey, getState, type StoredKey, toOwnKey } from './own-keys.ts'

/**
 * Stores a changed cap. Keys that share their cap after a rotation keep sharing it, so it changes for all of them. The new versions make every process reload
 * the keys.
 */
async function changeCap(tx: Transaction, { id, meter }: StoredKey, capCredits: number | null): Promise<void> {
  const capId = meter?.capId ?? null
  const where = { OR: [{ keyId: id }, ...(capId === null ? [] : [{ capId }])] }
  await tx.keyMeter.updateMany({ where, data: { monthCap: capCredits, version: { increment: 1 } } })
}

async function write(tx: Transaction, key: StoredKey, { name, scopes, addresses, capCredits, expiresAt }: KeyAccess): Promise<void> {
  await changeCap(tx, key, capCredits)
  const data = { name, scopes: [...new Set(scopes)], addresses: [...addresses], expiresAt }
  await tx.apiKey.update({ where: { id: key.id }, data, select: { id: true } })
  await tx.keyMeter.update({ where: { keyId: key.id }, data: { endsAt: expiresAt }, select: { keyId: true } })
}

/**
 * Changes what a key may do, effective with the next request on every process. `requireRecent` is called if the change widens the access of a live key or of a key that may manage the account, and
 * throws if the owner has to confirm their identity first. Writes nothing if nothing changes.
 * @throws RefusedError not_found, account_blocked; FieldsError if the key no longer works or was replaced
 */
export async function changeOwnKey(db: Database, owner: KeyOwner, id: string, access: KeyAccess, requireRecent: () => void): Promise<void> {
  const { accountId, address, memberId = null } = owner
  await inTransaction(db, async (tx) => {
    // Calls are admitted with the wallet locked, so each call sees the key either before or after the whole change.
    await lockOpenAccount(tx, owner, 'keys.update')
    const key = await findKey(tx, accountId, id)
    const state = getState(key)
    if (state === 'ending') throw new FieldsError({ form: 'This key was replaced. Edit the new key.' })
    if (state !== 'active') throw new FieldsError({ form: 'This key no longer works. Create a new one.' })
    const current = toOwnKey(key, [])
    const isPrivileged = key.mode === 'live' || access.scopes.includes(manageScope)
    if (isPrivileged && isWider(current, access)) requireRecent()
    const { isChanged, before, after } = changedDetails(current, access)
    if (!isChanged) return
    await write(tx, key, access)
    await writeAudit(tx, { accountId, actor: 'account', memberId, action: 'key.update', subject: id, before, after, address })
  })
}
