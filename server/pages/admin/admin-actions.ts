import { redirect } from 'next/navigation'
import { declineLines } from '#components/admin/action-messages.ts'
import type { Preview, PreviewState } from '#components/admin/email-preview.tsx'
import type { FormState } from '#components/forms/form-state.ts'
import { answerForm, getText, typedIn } from '../answer-form.ts'
import { adminCaller } from './admin-pages.ts'

type AdminCaller = Awaited<ReturnType<typeof adminCaller>>

/** Fields common to all admin forms. */
type Given = { readonly account: string; readonly reason: string }

type Work = (caller: AdminCaller, given: Given) => Promise<unknown>

/** Returns the path to redirect to after the action. */
type ToPath = (account: string) => string

const givenIn = (form: FormData): Given => ({ account: getText(form, 'account'), reason: getText(form, 'reason') })

/** Runs an admin action on the account that a form names, then redirects. */
export function runAction(previous: FormState, form: FormData, toPath: ToPath, work: Work): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const given = givenIn(form)
    await work(await adminCaller(), given)
    redirect(toPath(given.account))
  })
}

type Shown = Omit<Preview, 'signed'>

/**
 * Runs an admin action in two steps. The first submission returns a preview. The action runs once the form is submitted again with the previewed values
 * unchanged. `names` are the fields that the preview depends on.
 */
export async function runPreviewedAction(
  previous: PreviewState,
  form: FormData,
  names: readonly string[],
  { show, work, toPath }: { show: (caller: AdminCaller, given: Given) => Promise<Shown>; work: Work; toPath: ToPath },
): Promise<PreviewState> {
  let preview: Preview | null = null
  const state = await answerForm(previous, form, async () => {
    const [caller, given] = [await adminCaller(), givenIn(form)]
    const signed = JSON.stringify(names.map((name) => getText(form, name)))
    preview = { ...(await show(caller, given)), signed }
    if (getText(form, 'previewed') !== signed) return null
    await work(caller, given)
    redirect(toPath(given.account))
  })
  return { ...state, typed: typedIn(form), preview }
}

export const approve = (caller: AdminCaller, given: Given) => caller.admin.review.approve(given)

/** Previews declining an account, including the email to the customer. */
export async function showDecline(form: FormData, caller: AdminCaller, { account }: Given) {
  const [facts, message] = await Promise.all([
    caller.admin.accounts.read({ account }),
    caller.admin.review.message({ account, customerMessage: getText(form, 'customerMessage') }),
  ])
  return { lines: declineLines(facts), message }
}

export const decline = (form: FormData, caller: AdminCaller, given: Given) =>
  caller.admin.review.decline({ ...given, customerMessage: getText(form, 'customerMessage') })
