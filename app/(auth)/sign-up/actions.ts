'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { makeCookie } from '#server/auth/cookies.ts'
import { currentAsker, currentAuthContext, currentCookie, leaveCookies } from '#server/auth/current-request.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { sendConfirmationAgain, signUp } from '#server/self-service/sign-up.ts'

export async function signUpAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const deps = await currentAuthContext()
    const typed = {
      email: getText(form, 'email'),
      password: getText(form, 'password'),
      acceptsLicence: form.has('licence'),
      licence: getText(form, 'licenceShown'),
    }
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
