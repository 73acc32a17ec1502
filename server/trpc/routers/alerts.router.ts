import { z } from 'zod'
import { attempt, limits } from '#server/accounts/throttle.ts'
import type { AlertDeps } from '#server/alerts/alert-deps.ts'
import { toNewAlert, toWatched, typedAlert, typedWatched } from '#server/alerts/alert-form.ts'
import { previewAlert } from '#server/alerts/alert-settings.ts'
import { type AlertOwner, createAlert, deleteAlert, pauseAlert, resumeAlert, updateAlert } from '#server/alerts/manage-alerts.ts'
import { getAlert, getAlerts, getRecentNotifications } from '#server/alerts/read-alerts.ts'
import { maxAlerts } from '#server/api/contract/market-alerts.ts'
import type { Asker } from '#server/auth/auth-context.ts'
import { accountActor, type Viewer } from '#server/auth/viewer.ts'
import { forAccount, forVerified, PublicId, router } from '../procedures.ts'

const Id = z.object({ id: PublicId })
const Alert = z.object(typedAlert)

const owner = ({ viewer, asker }: { readonly viewer: Viewer; readonly asker: Asker }): AlertOwner => ({
  accountId: viewer.accountId,
  signInId: viewer.member.accountId,
  mode: 'live',
  by: accountActor(viewer, asker),
})

/** Counts a change towards the hourly limit of the account, and returns the member who makes it. @throws ThrottledError */
async function countChange(ctx: { readonly viewer: Viewer; readonly asker: Asker; readonly alerts: AlertDeps }): Promise<AlertOwner> {
  await attempt(ctx.alerts.pool, [limits.alertChanges, String(ctx.viewer.accountId)])
  return owner(ctx)
}

/** Market alerts. The rules are in server/alerts. */
export const alertsRouter = router({
  list: forAccount.query(async ({ ctx }) => ({
    alerts: await getAlerts(ctx.db, ctx.accountId, 'live'),
    recent: await getRecentNotifications(ctx.db, ctx.accountId, 'live'),
    max: maxAlerts[ctx.viewer.plan],
  })),
  read: forAccount.input(Id).query(({ ctx, input }) => getAlert(ctx.db, ctx.accountId, 'live', input.id)),
  preview: forVerified.input(z.object(typedWatched)).query(({ ctx, input }) => previewAlert(ctx.alerts, toWatched(input))),
  create: forVerified.input(Alert).mutation(async ({ ctx, input }) => createAlert(ctx.alerts, await countChange(ctx), toNewAlert(input))),
  update: forVerified
    .input(Alert.extend(Id.shape))
    .mutation(async ({ ctx, input }) => updateAlert(ctx.alerts, await countChange(ctx), input.id, toNewAlert(input))),
  pause: forAccount.input(Id).mutation(async ({ ctx, input }) => pauseAlert(ctx.alerts, await countChange(ctx), input.id)),
  resume: forVerified.input(Id).mutation(async ({ ctx, input }) => resumeAlert(ctx.alerts, await countChange(ctx), input.id)),
  delete: forAccount.input(Id).mutation(async ({ ctx, input }) => deleteAlert(ctx.alerts, await countChange(ctx), input.id)),
})
