import { declineLines } from '#components/admin/action-messages.ts'
import { textOf } from '../answer-form.ts'
import type { AdminCaller, Given } from './admin-actions.ts'

export const approve = (caller: AdminCaller, given: Given) => caller.admin.review.approve(given)

/** Previews a decline, including its email. */
export async function showDecline(form: FormData, caller: AdminCaller, { account }: Given) {
  const [facts, letter] = await Promise.all([caller.admin.accounts.read({ account }), caller.admin.review.letter({ account, told: textOf(form, 'told') })])
  return { lines: declineLines(facts), letter }
}

export const decline = (form: FormData, caller: AdminCaller, given: Given) => caller.admin.review.decline({ ...given, told: textOf(form, 'told') })
