'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { dropCookie, makeCookie } from '#server/auth/cookies.ts'
import { currentAsker, currentAuthContext, currentCookie, leaveCookies } from '#server/auth/current-request.ts'
import { signUpWithProvider } from '#server/auth/provider-sign-in.ts'
import { sendConfirmationAgain, signUp } from '#server/auth/sign-up.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { currentDevice, keepSignIn, welcome } from '#server/pages/sign-in.ts'

/** Reads the accepted version of the Data Licence. */
const readLicence = (form: FormData) => ({ acceptsLicence: form.has('licence'), licence: getText(form, 'licenceShown') })

export async function signUpAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const deps = await currentAuthContext()
    const typed = { email: getText(form, 'email'), password: getText(form, 'password'), ...readLicence(form) }
    const pending = await signUp(deps, await currentAsker(), typed)
    await leaveCookies(await makeCookie(deps, 'sign-up', pending))
    redirect('/sign-up/check-email')
  })
}

/** Resends the confirmation link. The response is the same for every address. */
export async function sendAgainAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const pending = await currentCookie('sign-up')
    if (pending === null) redirect('/sign-up')
    await sendConfirmationAgain(await currentAuthContext(), pending.account)
    return 'Email resent.'
  })
}

/** Creates the account of a user who came from an identity provider. */
export async function finishSignUpAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const waiting = await currentCookie('provider-sign-up')
    if (waiting === null) redirect('/sign-up')
    const deps = await currentAuthContext()
    const asker = await currentAsker()
    const made = await signUpWithProvider(deps, asker, waiting.profile, readLicence(form), await currentDevice())
    if (made === null || made.outcome.kind !== 'signed-in') {
      await leaveCookies(dropCookie(deps, 'provider-sign-up'))
      redirect('/sign-in?error=email-taken')
    }
    await keepSignIn(made.outcome)
    if (!made.isConfirmed) redirect('/portal')
    await welcome(deps, asker, made)
    redirect('/portal/welcome')
  })
}
