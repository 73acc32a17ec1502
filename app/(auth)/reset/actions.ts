'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { makeCookie } from '#server/auth/cookies.ts'
import { currentAsker, currentRoom, leaveCookies } from '#server/auth/current-request.ts'
import { askForReset, resetPassword } from '#server/auth/passwords.ts'
import { answerForm, textOf } from '#server/pages/answer-form.ts'
import { currentDevice } from '#server/pages/sign-in-cookies.ts'

export async function askForResetAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await askForReset(await currentRoom(), await currentAsker(), textOf(form, 'email'))
    redirect('/reset?sent=1')
  })
}

export async function resetAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const token = textOf(form, 'token')
    const room = await currentRoom()
    const device = await resetPassword(room, await currentAsker(), token, textOf(form, 'password'), await currentDevice())
    if (device === null) redirect(`/reset/${encodeURIComponent(token)}`)
    await leaveCookies(await makeCookie(room, 'device', { id: device.id, accounts: [...device.accounts] }))
    redirect('/sign-in?done=reset')
  })
}
