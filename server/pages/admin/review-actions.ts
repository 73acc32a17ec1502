import { declineLines } from '#components/admin/deed-words.ts'
import { textOf } from '../answer-form.ts'
import type { Desk, Given } from './admin-actions.ts'

export const approve = (desk: Desk, given: Given) => desk.admin.review.approve(given)

/** What a refusal will do, with its letter. */
export async function showDecline(form: FormData, desk: Desk, { account }: Given) {
  const [facts, letter] = await Promise.all([desk.admin.accounts.read({ account }), desk.admin.review.letter({ account, told: textOf(form, 'told') })])
  return { lines: declineLines(facts), letter }
}

export const decline = (form: FormData, desk: Desk, given: Given) => desk.admin.review.decline({ ...given, told: textOf(form, 'told') })
