import { redirect } from 'next/navigation'
import type { Preview, PreviewState } from '#components/admin/preview-state.ts'
import type { FormState } from '#components/forms/form-state.ts'
import { adminCaller } from '../admin-caller.ts'
import { answerForm, textOf, typedIn } from '../answer-form.ts'

export type AdminCaller = Awaited<ReturnType<typeof adminCaller>>

/** Who something is done to, and why, as every form of the desk says it. */
export type Given = { readonly account: string; readonly reason: string }

type Work = (caller: AdminCaller, given: Given) => Promise<unknown>
/** Where to go when it is done. */
type Way = (account: string) => string

const givenIn = (form: FormData): Given => ({ account: textOf(form, 'account'), reason: textOf(form, 'reason') })

/** Does something about the account of a form, and leads on. */
export function runAction(previous: FormState, form: FormData, way: Way, work: Work): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const given = givenIn(form)
    await work(await adminCaller(), given)
    redirect(way(given.account))
  })
}

type Shown = Omit<Preview, 'sealed'>

/**
 * The same in two steps: what it will do is shown first, and done when it comes back with just what was shown. `names` are the fields that it depends on.
 */
export async function runPreviewedAction(
  previous: PreviewState,
  form: FormData,
  names: readonly string[],
  { show, work, way }: { show: (caller: AdminCaller, given: Given) => Promise<Shown>; work: Work; way: Way },
): Promise<PreviewState> {
  let preview: Preview | null = null
  const state = await answerForm(previous, form, async () => {
    const [caller, given] = [await adminCaller(), givenIn(form)]
    const sealed = JSON.stringify(names.map((name) => textOf(form, name)))
    preview = { ...(await show(caller, given)), sealed }
    if (textOf(form, 'previewed') !== sealed) return null
    await work(caller, given)
    redirect(way(given.account))
  })
  return { ...state, typed: typedIn(form), preview }
}
