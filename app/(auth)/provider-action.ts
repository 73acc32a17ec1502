'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import type { FormState } from '../../components/ui/form-state.ts'
import { currentAsker, currentRoom } from '../../server/auth/current-request.ts'
import { startProvider } from '../../server/auth/next-auth-handler.ts'
import { answerForm, nextPath, textOf } from '../answer-form.ts'

/** Goes to an identity provider. */
export async function startProviderAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const provider = textOf(form, 'provider') === 'google' ? 'google' : 'oidc'
    const { location, left } = await startProvider(await currentRoom(), await currentAsker(), provider, nextPath(textOf(form, 'next')))
    const jar = await cookies()
    for (const { name, value, options } of left) jar.set(name, value, options)
    redirect(location)
  })
}
