import { declineLines } from '#components/admin/action-messages.ts'
import { getText } from '../answer-form.ts'
import type { AdminCaller, Given } from './admin-actions.ts'

export const approve = (caller: AdminCaller, given: Given) => caller.admin.review.approve(given)

/** Previews a decline, including its email. */
export async function showDecline(form: FormData, caller: AdminCaller, { account }: Given) {
  const [facts, message] = await Promise.all([
    caller.admin.accounts.read({ account }),
    caller.admin.review.message({ account, customerMessage: getText(form, 'customerMessage') }),
  ])
  return { lines: declineLines(facts), message }
}

export const decline = (form: FormData, caller: AdminCaller, given: Given) =>
  caller.admin.review.decline({ ...given, customerMessage: getText(form, 'customerMessage') })
