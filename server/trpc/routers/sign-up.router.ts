import { z } from 'zod'
import { makeCookie } from '#server/auth/cookies.ts'
import { invitationPath } from '#server/auth/same-origin.ts'
import { replaceLink } from '#server/self-service/email-confirmation.ts'
import { askForReset, resetPassword } from '#server/self-service/passwords.ts'
import { sendConfirmationAgain, signUp } from '#server/self-service/sign-up.ts'
import { publicProcedure, router } from '../procedures.ts'

const typed = z.string().max(1_000)
/** `licence` is the checkbox; `licenceShown` is the version next to it. `next` is the invitation to return to after the confirmation; empty for the welcome page. */
const NewAccount = z.object({ email: typed, password: typed, licence: z.literal(['yes', false]), licenceShown: typed, next: typed.default('') })
const Email = z.object({ email: typed })
const Link = z.object({ token: typed })
const NewPassword = Link.extend({ password: typed })

/**
 * Password sign-up. Responses name the page to open next, and are the same for registered and unregistered addresses. The rules are in server/self-service.
 */
export const signUpRouter = router({
  create: publicProcedure.input(NewAccount).mutation(async ({ ctx: { deps, asker, cookies }, input: { licence, licenceShown, ...input } }) => {
    const next = invitationPath(input.next)
    const pending = await signUp(deps, asker, { ...input, acceptsLicence: licence === 'yes', licence: licenceShown })
    await cookies.set(await makeCookie(deps, 'sign-up', next === '' ? pending : { ...pending, next }))
    return { next: '/sign-up/check-email' }
  }),
  /** Resends the confirmation link of the sign-up in this browser. `next` is null if the page can stay open. */
  resend: publicProcedure.mutation(async ({ ctx: { deps, cookies } }) => {
    const pending = await cookies.read('sign-up')
    if (pending === null) return { next: '/sign-up' }
    await sendConfirmationAgain(deps, pending.account)
    return { next: null }
  }),
  /** Sends a new link in place of one that was used or has expired. */
  replaceLink: publicProcedure.input(Link).mutation(async ({ ctx, input }) => {
    await replaceLink(ctx.deps, ctx.asker, input.token)
    return { next: '/confirm?sent=1' }
  }),
})

/** Password reset by email. Responses name the page to open next, and are the same for registered and unregistered addresses. */
export const passwordResetRouter = router({
  request: publicProcedure.input(Email).mutation(async ({ ctx, input }) => {
    await askForReset(ctx.deps, ctx.asker, input.email)
    return { next: '/reset?sent=1' }
  }),
  complete: publicProcedure.input(NewPassword).mutation(async ({ ctx: { deps, asker, cookies }, input: { token, password } }) => {
    const device = await resetPassword(deps, asker, token, password, await cookies.read('device'))
    if (device === null) return { next: `/reset/${encodeURIComponent(token)}` }
    await cookies.set(await makeCookie(deps, 'device', { id: device.id, accounts: [...device.accounts] }))
    return { next: '/sign-in?done=reset' }
  }),
})
