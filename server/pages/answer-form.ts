import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { currentPath } from '#server/auth/current-request.ts'
import { causeOf, portalFault, SignedOutError } from '#server/trpc/portal-fault.ts'
import { ownPortalCaller } from './portal-caller.ts'

/** What never goes back to the page it came from. */
const untold = new Set(['password', 'currentPassword', 'code', 'identityPassword', 'identityCode'])

/** A text field of a form; empty when it is not there. */
export const textOf = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export const textsOf = (form: FormData, name: string): string[] => form.getAll(name).filter((value) => typeof value === 'string')

/** What was typed into a form, as far as it may go back to its page. */
export function typedIn(form: FormData): Record<string, string[]> {
  const names = [...new Set(form.keys())].filter((name) => !name.startsWith('$') && !untold.has(name))
  return Object.fromEntries(names.map((name) => [name, textsOf(form, name)]))
}

/** Where somebody signs in whose session ended while they read a page. They come back to it. */
const signInAgain = async (): Promise<string> => `/sign-in?done=ended&next=${encodeURIComponent(await currentPath())}`

const proofFields = ['identityPassword', 'identityCode'] as const

/** Re-authenticates the session if the form brings a password or a code for that. */
async function reauthenticateBy(form: FormData): Promise<void> {
  if (!proofFields.some((name) => form.has(name))) return
  const { security } = await ownPortalCaller()
  await security.reauthenticate({ password: textOf(form, 'identityPassword'), code: textOf(form, 'identityCode') })
}

/** Turns a refusal into the state of its form. @throws the error itself if it is no refusal */
function refusedState(error: Error, attempt: number, form: FormData, open: FormState['proof']): FormState {
  const { error: code, fields, proof } = portalFault(error)
  const typed = typedIn(form)
  if (proof !== null) return { attempt, faults: {}, typed, done: null, proof }
  if (code === null && fields === null) throw error
  return { attempt, faults: fields ?? { form: causeOf(error).message }, typed, done: null, proof: open }
}

/**
 * Answers a form: confirms the identity if it was asked for, does the work, and returns refusals as messages for the fields. A user whose session ended is
 * sent to the sign-in page; other errors, redirects among them, are thrown. `work` returns what to say next to the button.
 */
export async function answerForm(previous: FormState, form: FormData, work: () => Promise<string | null>): Promise<FormState> {
  const attempt = previous.attempt + 1
  // Next compares where a form came from as well, but lets through what will not say; browsers say it in this header too, which no page can write.
  const site = (await headers()).get('sec-fetch-site') ?? 'same-origin'
  const foreign = 'This form was sent from another site. Send it again from here.'
  if (site !== 'same-origin') return { attempt, faults: { form: foreign }, typed: {}, done: null, proof: null }
  let open = previous.proof
  try {
    await reauthenticateBy(form)
    open = null
    return { attempt, faults: {}, typed: {}, done: await work(), proof: null }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (causeOf(error) instanceof SignedOutError) redirect(await signInAgain())
    return refusedState(error, attempt, form, open)
  }
}

/** A way on that was asked for in an address: a path of this site, or the portal. */
export function nextPath(asked: string | undefined): string {
  return asked !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(asked) && asked.length <= 500 ? asked : '/portal'
}
