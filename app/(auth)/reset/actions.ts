'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { makeCookie } from '#server/auth/cookies.ts'
import { currentAsker, currentAuthContext, currentCookie, leaveCookies } from '#server/auth/current-request.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { askForReset, resetPassword } from '#server/self-service/passwords.ts'

export async function askForResetAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await askForReset(await currentAuthContext(), await currentAsker(), getText(form, 'email'))
    redirect('/reset?sent=1')
  })
}

export async function resetAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const token = getText(form, 'token')
    const deps = await currentAuthContext()
    const device = await resetPassword(deps, await currentAsker(), token, getText(form, 'password'), await currentCookie('device'))
    if (device === null) redirect(`/reset/${encodeURIComponent(token)}`)
    await leaveCookies(await makeCookie(deps, 'device', { id: device.id, accounts: [...device.accounts] }))
    redirect('/sign-in?done=reset')
  })
}
