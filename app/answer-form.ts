import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { FormState } from '../components/ui/form-state.ts'
import { currentPath } from '../server/auth/current-request.ts'
import { causeOf, portalFault, SignedOutError } from '../server/trpc/portal-fault.ts'

/** What never goes back to the page it came from. */
const untold = new Set(['password', 'currentPassword', 'code'])

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

/**
 * Answers a form: does the work, and turns what the rooms refuse with into sentences beside the fields. Who is not signed in any more is sent to the
 * sign-in. Everything else, a redirect among it, goes on up. `work` returns what to say beside the button.
 */
export async function answerForm(previous: FormState, form: FormData, work: () => Promise<string | null>): Promise<FormState> {
  const attempt = previous.attempt + 1
  // Next compares where a form came from as well, but lets through what will not say; browsers say it in this header too, which no page can write.
  const site = (await headers()).get('sec-fetch-site') ?? 'same-origin'
  if (site !== 'same-origin') return { attempt, faults: { form: 'This form was sent from another site. Send it again from here.' }, typed: {}, done: null }
  try {
    return { attempt, faults: {}, typed: {}, done: await work() }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (causeOf(error) instanceof SignedOutError) redirect(await signInAgain())
    const { error: code, fields } = portalFault(error)
    if (code === null && fields === null) throw error
    return { attempt, faults: fields ?? { form: causeOf(error).message }, typed: typedIn(form), done: null }
  }
}

/** A way on that was asked for in an address: a path of this site, or the portal. */
export function nextPath(asked: string | undefined): string {
  return asked !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(asked) && asked.length <= 500 ? asked : '/portal'
}
