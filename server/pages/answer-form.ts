import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { currentPath } from '#server/auth/current-request.ts'
import { SignedOutError } from '#server/auth/sessions.ts'
import { getCause, portalFault } from '#server/trpc/portal-fault.ts'
import { ownPortalCaller } from './portal-caller.ts'

/** Fields that are never sent back to the browser. */
const secretFields = new Set(['password', 'currentPassword', 'code', 'identityPassword', 'identityCode'])

/** Returns a text field of a form; empty if it is missing. */
export const getText = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export const getTexts = (form: FormData, name: string): string[] => form.getAll(name).filter((value) => typeof value === 'string')

/** Returns the submitted values to show in the form again, leaving out secrets and Next's own fields. */
export function typedIn(form: FormData): Record<string, string[]> {
  const names = [...new Set(form.keys())].filter((name) => !name.startsWith('$') && !secretFields.has(name))
  return Object.fromEntries(names.map((name) => [name, getTexts(form, name)]))
}

/** Returns the sign-in URL for a user whose session has ended. After signing in, they return to the current page. */
const signInAgain = async (): Promise<string> => `/sign-in?done=ended&next=${encodeURIComponent(await currentPath())}`

const proofFields = ['identityPassword', 'identityCode'] as const

/** Re-authenticates the user if the form contains their password or code. */
async function reauthenticateWith(form: FormData): Promise<void> {
  if (!proofFields.some((name) => form.has(name))) return
  const { security } = await ownPortalCaller()
  await security.reauthenticate({ password: getText(form, 'identityPassword'), code: getText(form, 'identityCode') })
}

/** Returns the form state that shows a rejection to the user. @throws any other error */
function refusedState(error: Error, attempt: number, form: FormData, open: FormState['proof']): FormState {
  const { error: code, fields, proof } = portalFault(error)
  const typed = typedIn(form)
  if (proof !== null) return { attempt, faults: {}, typed, done: null, proof }
  if (code === null && fields === null) throw error
  return { attempt, faults: fields ?? { form: getCause(error).message }, typed, done: null, proof: open }
}

/**
 * Handles a form: re-authenticates if required, runs `work`, and returns rejections as field errors. A user whose session ended is redirected to sign in; other
 * errors, including redirects, are thrown. `work` returns the message to show next to the button.
 */
export async function answerForm(previous: FormState, form: FormData, work: () => Promise<string | null>): Promise<FormState> {
  const attempt = previous.attempt + 1
  // Next checks the Origin of a form, but accepts requests without one. Browsers also send Sec-Fetch-Site, which no page can set.
  const site = (await headers()).get('sec-fetch-site') ?? 'same-origin'
  const crossSite = 'This form was sent from another site. Submit it again here.'
  if (site !== 'same-origin') return { attempt, faults: { form: crossSite }, typed: {}, done: null, proof: null }
  let open = previous.proof
  try {
    await reauthenticateWith(form)
    open = null
    return { attempt, faults: {}, typed: {}, done: await work(), proof: null }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (getCause(error) instanceof SignedOutError) redirect(await signInAgain())
    return refusedState(error, attempt, form, open)
  }
}
