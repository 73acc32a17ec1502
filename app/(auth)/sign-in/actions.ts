'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { makeCookie } from '#server/auth/cookies.ts'
import { currentAsker, currentAuthContext, currentCookie, leaveCookies } from '#server/auth/current-request.ts'
import { signIn, signInWithCode, wrongPassword } from '#server/auth/sign-in.ts'
import { answerForm, getText, nextPath } from '#server/pages/answer-form.ts'
import { ownPortalCaller } from '#server/pages/portal-caller.ts'
import { currentDevice, keepSignIn } from '#server/pages/sign-in.ts'

export async function signInAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const deps = await currentAuthContext()
    const typed = { email: getText(form, 'email'), password: getText(form, 'password') }
    const next = nextPath(getText(form, 'next'))
    const outcome = await signIn(deps, await currentAsker(), typed, await currentDevice())
    if (outcome.kind === 'refused') throw new FieldsError({ form: wrongPassword })
    if (outcome.kind === 'code') {
      await leaveCookies(await makeCookie(deps, 'code', { account: outcome.account, version: outcome.version, next }))
      redirect('/sign-in/code')
    }
    await keepSignIn(outcome)
    redirect(next)
  })
}

/** Re-authenticates a signed-in session, then redirects. The password or code is checked by `answerForm`. */
export async function confirmIdentityAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await ownPortalCaller()).security.requireRecent()
    redirect(nextPath(getText(form, 'next')))
  })
}

/** Completes signing in to an account with two-factor sign-in: checks the code. */
export async function codeAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const first = await currentCookie('code')
    if (first === null) redirect('/sign-in?error=code')
    const outcome = await signInWithCode(await currentAuthContext(), await currentAsker(), first, getText(form, 'code'), await currentDevice())
    if (outcome.kind !== 'signed-in') redirect('/sign-in?error=code')
    await keepSignIn(outcome)
    redirect(nextPath(first.next))
  })
}
