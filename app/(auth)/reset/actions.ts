'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '../../../components/ui/form-state.ts'
import { currentAsker, currentRoom } from '../../../server/auth/current-request.ts'
import { askForReset, resetPassword } from '../../../server/auth/passwords.ts'
import { answerForm, textOf } from '../../answer-form.ts'

export async function askForResetAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await askForReset(await currentRoom(), await currentAsker(), textOf(form, 'email'))
    redirect('/reset?sent=1')
  })
}

export async function resetAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const token = textOf(form, 'token')
    const isReset = await resetPassword(await currentRoom(), await currentAsker(), token, textOf(form, 'password'))
    redirect(isReset ? '/sign-in?done=reset' : `/reset/${encodeURIComponent(token)}`)
  })
}
