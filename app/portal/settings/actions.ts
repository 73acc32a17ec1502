'use server'

import { refresh } from 'next/cache'
import { redirect } from 'next/navigation'
import { renderSVG } from 'uqr'
import type { FormState } from '#components/forms/form-state.ts'
import type { SecondFactorState } from '#components/portal/secret-form-states.ts'
import { dropCookie, makeCookie } from '#server/auth/cookies.ts'
import { currentAuthContext, leaveCookies } from '#server/auth/current-request.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

export async function renameAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).profile.rename({ name: getText(form, 'name') })
    return 'Saved.'
  })
}

export async function setTimeZoneAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).profile.setTimeZone({ timeZone: getText(form, 'timeZone') })
    refresh()
    return 'Saved.'
  })
}

export async function changeEmailAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const { email } = await (await portalCaller()).security.changeEmail({ email: getText(form, 'email'), code: getText(form, 'code') })
    return `We've sent a link to ${email} if it can be used. It works once and expires in 30 minutes.`
  })
}

export async function changePasswordAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).security.changePassword({ password: getText(form, 'password'), currentPassword: getText(form, 'currentPassword') })
    return 'Password changed. All other devices have been signed out.'
  })
}

/** Connects or disconnects an identity provider, depending on the button clicked. */
export async function providerAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const { security } = await portalCaller()
    const issuer = getText(form, 'issuer')
    if (issuer !== '') {
      await security.disconnect({ issuer })
      redirect('/portal/settings?done=disconnected#providers')
    }
    await security.beginConnect()
    await leaveCookies(await makeCookie(await currentAuthContext(), 'connect', { session: (await signedIn()).sessionId }))
    redirect(`/sign-in/connect?provider=${getText(form, 'provider') === 'google' ? 'google' : 'oidc'}`)
  })
}

export async function endSessionAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).session.end({ id: getText(form, 'id') })
    redirect('/portal/settings?done=session#sessions')
  })
}

export async function signOutEverywhereAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).session.endAll()
    await leaveCookies(dropCookie(await currentAuthContext(), 'session'))
    redirect('/sign-in?done=everywhere')
  })
}

type SetupResult = Pick<SecondFactorState, 'setup' | 'codes'>

const nothing: SetupResult = { setup: null, codes: null }

async function answerFactorForm(previous: SecondFactorState, form: FormData, work: () => Promise<SetupResult>): Promise<SecondFactorState> {
  // Keeps the QR code on the page if the user enters a wrong code.
  let result: SetupResult = { setup: previous.setup, codes: null }
  const state = await answerForm(previous, form, async () => {
    result = await work()
    return null
  })
  return { ...state, ...result }
}

/** Returns the QR code as a data URL, the only kind of inline image that the Content Security Policy allows. */
const toQrCode = (uri: string): string => `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri, { border: 2 })).toString('base64')}`

/** Handles the two-factor setup step named in the form's `step` field. */
export async function secondFactorAction(previous: SecondFactorState, form: FormData): Promise<SecondFactorState> {
  return answerFactorForm(previous, form, async () => {
    const { security } = await portalCaller()
    const code = getText(form, 'code')
    const step = getText(form, 'step')
    if (step === 'begin') {
      const setup = await security.beginSecondFactor()
      return setup === null ? nothing : { setup: { secret: setup.secret, picture: toQrCode(setup.uri) }, codes: null }
    }
    if (step === 'confirm') return { setup: null, codes: await security.confirmSecondFactor({ code }) }
    if (step === 'renew') return { setup: null, codes: await security.renewRecoveryCodes({ code }) }
    await security.turnOffSecondFactor({ code })
    redirect('/portal/settings?done=second-factor-off#second-factor')
  })
}

export async function closeAccountAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).security.closeAccount({ email: getText(form, 'email') })
    await leaveCookies(dropCookie(await currentAuthContext(), 'session'))
    redirect('/sign-in?done=closed')
  })
}
