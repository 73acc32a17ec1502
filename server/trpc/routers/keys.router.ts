import { z } from 'zod'
import { manageScope } from '#server/api/contract/access.ts'
import { requireRecent } from '#server/auth/reauthentication.ts'
import { accountActor, type Viewer } from '#server/auth/viewer.ts'
import { changeOwnKey } from '#server/keys/change-own-key.ts'
import { createOwnKey, overlaps, revokeOwnKey, rotateKey } from '#server/keys/manage-own-keys.ts'
import { readKeyChange, readNewKey, TypedAccess, TypedKey } from '#server/keys/new-key-form.ts'
import { endedKeys, ownKey, ownKeys } from '#server/keys/own-keys.ts'
import { forAccount, type PortalContext, PublicId, router } from '../procedures.ts'

const KeyId = z.object({ id: PublicId })
const Page = z.object({ before: PublicId.nullable() })
/** Forms send numbers as text. */
const Overlap = z
  .union([z.int(), z.string().max(2)])
  .transform(Number)
  .pipe(z.literal(overlaps))
const Rotation = KeyId.extend({ overlapHours: Overlap })

const owner = ({ viewer, asker }: PortalContext & { viewer: Viewer }) => {
  const { address, memberId } = accountActor(viewer, asker)
  return { accountId: viewer.accountId, isConfirmed: viewer.isConfirmed, address, memberId }
}

/** Returns true if a key may manage the account. */
export const canManage = ({ scopes }: { readonly scopes: readonly string[] }) => scopes.includes(manageScope)

/** API keys. Issuing a live key, or one that may manage the account, or widening its access needs a recent sign-in. The other rules (live keys require a confirmed email, keys are shown once) are in server/keys. */
export const keysRouter = router({
  list: forAccount.query(({ ctx }) => ownKeys(ctx.db, ctx.accountId)),
  ended: forAccount.input(Page).query(({ ctx, input }) => endedKeys(ctx.db, ctx.accountId, input.before)),
  read: forAccount.input(KeyId).query(({ ctx, input }) => ownKey(ctx.db, ctx.accountId, input.id)),
  create: forAccount.input(TypedKey).mutation(({ ctx, input }) => {
    const key = readNewKey(input)
    if (key.mode === 'live' || canManage(key)) requireRecent(ctx.viewer)
    return createOwnKey(ctx.db, owner(ctx), key)
  }),
  update: forAccount.input(TypedAccess.extend(KeyId.shape)).mutation(async ({ ctx, input: { id, ...typed } }) => {
    const access = readKeyChange(typed, await ownKey(ctx.db, ctx.accountId, id))
    return changeOwnKey(ctx.db, owner(ctx), id, access, () => requireRecent(ctx.viewer))
  }),
  rotate: forAccount.input(Rotation).mutation(async ({ ctx, input }) => {
    const key = await ownKey(ctx.db, ctx.accountId, input.id)
    if (key.mode === 'live' || canManage(key)) requireRecent(ctx.viewer)
    return rotateKey(ctx.db, owner(ctx), input.id, input.overlapHours)
  }),
  revoke: forAccount.input(KeyId).mutation(({ ctx, input }) => revokeOwnKey(ctx.db, owner(ctx), input.id)),
})
