import { attempt, limits } from '#server/accounts/throttle.ts'
import { AuthorizationParameters } from '#server/api/contract/oauth.ts'
import { requireRecent } from '#server/auth/reauthentication.ts'
import { accountActor } from '#server/auth/viewer.ts'
import { countReplacedKeys } from '#server/keys/application-keys.ts'
import { readNewKey, TypedKey } from '#server/keys/new-key-form.ts'
import { readAuthorizationRequest } from '#server/self-service/oauth/authorization-request.ts'
import { approveAccess, denyUrl } from '#server/self-service/oauth/authorize.ts'
import { forSession, forVerified, router } from '../procedures.ts'
import { canManage } from './keys.router.ts'

/** Access of applications, such as AI clients. Approving a live key needs a recent sign-in, as creating one does. */
export const oauthRouter = router({
  /** Returns the application and the permissions that it asks for, an error to show, or the URL to return to. */
  read: forSession.input(AuthorizationParameters).query(async ({ ctx, input }) => {
    const request = await readAuthorizationRequest(ctx.db, ctx.deps.publicUrl, input)
    if (!('app' in request)) return request
    const { app, scopes } = request
    const { memberId } = accountActor(ctx.viewer, ctx.asker)
    const isReplacement = (await countReplacedKeys(ctx.db, { accountId: ctx.viewer.accountId, memberId }, app.id)) > 0
    return { name: app.name, returnsTo: new URL(input.redirect_uri), scopes: [...scopes], isReplacement, denyUrl: denyUrl(input, ctx.deps.publicUrl) }
  }),
  approve: forVerified.input(TypedKey.extend({ request: AuthorizationParameters })).mutation(async ({ ctx, input: { request, ...typed } }) => {
    const key = readNewKey(typed)
    if (key.mode === 'live' || canManage(key)) requireRecent(ctx.viewer)
    const { address, memberId } = accountActor(ctx.viewer, ctx.asker)
    const owner = { accountId: ctx.viewer.accountId, isConfirmed: ctx.viewer.isConfirmed, address, memberId }
    await attempt(ctx.deps.pool, [limits.oauthApproval, String(owner.accountId)])
    return { url: await approveAccess(ctx.deps, request, { owner, key: { ...key, name: key.name.toWellFormed() } }) }
  }),
})
