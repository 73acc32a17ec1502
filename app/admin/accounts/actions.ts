'use server'

import { redirect } from 'next/navigation'
import { viewHref } from '#components/admin/account-view.ts'
import { blockLines, ownLimitLines, planLines, revokeLines } from '#components/admin/action-messages.ts'
import type { PreviewState } from '#components/admin/email-preview.tsx'
import type { FormState } from '#components/forms/form-state.ts'
import { planNames } from '#server/api/contract/access.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import { wholeTyped } from '#server/api/contract/formats.ts'
import { approve, decline, runAction, runPreviewedAction, showDecline } from '#server/pages/admin/admin-actions.ts'
import { adminCaller } from '#server/pages/admin/admin-pages.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'

const after = (what: string) => (account: string) => `/admin/accounts/${account}?done=${what}`

export async function findAccountAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const found = await (await adminCaller()).admin.accounts.find({ search: getText(form, 'search') })
    if (!('account' in found)) redirect(viewHref(found))
    redirect(`/admin/accounts/${found.account}${found.request === null ? '' : `/requests/${found.request}`}`)
  })
}

export async function approveAction(previous: FormState, form: FormData): Promise<FormState> {
  return runAction(previous, form, after('approve'), approve)
}

export async function declineAction(previous: PreviewState, form: FormData): Promise<PreviewState> {
  return runPreviewedAction(previous, form, ['customerMessage'], {
    show: (caller, given) => showDecline(form, caller, given),
    work: (caller, given) => decline(form, caller, given),
    toPath: after('decline'),
  })
}

export async function blockAction(previous: PreviewState, form: FormData): Promise<PreviewState> {
  const customerMessage = getText(form, 'customerMessage').replace(/\s+/g, ' ').trim()
  return runPreviewedAction(previous, form, ['customerMessage'], {
    show: async (caller, { account }) => ({ lines: blockLines(await caller.admin.accounts.read({ account }), customerMessage), message: null }),
    work: (caller, given) => caller.admin.accounts.block({ ...given, customerMessage }),
    toPath: after('block'),
  })
}

export async function unblockAction(previous: FormState, form: FormData): Promise<FormState> {
  return runAction(previous, form, after('unblock'), (caller, given) => caller.admin.accounts.unblock(given))
}

/** Reads the plan from a form. @throws FieldsError if none is chosen */
function planIn(form: FormData) {
  const plan = planNames.find((name) => name === getText(form, 'plan'))
  if (plan === undefined) throw new FieldsError({ plan: 'Choose a plan.' })
  return plan
}

export async function setPlanAction(previous: PreviewState, form: FormData): Promise<PreviewState> {
  return runPreviewedAction(previous, form, ['plan'], {
    show: async (caller, { account }) => ({ lines: planLines(await caller.admin.accounts.read({ account }), planIn(form)), message: null }),
    work: (caller, given) => caller.admin.accounts.setPlan({ ...given, plan: planIn(form) }),
    toPath: after('plan'),
  })
}

/** Parses a limit. Returns null for an empty field; null means the plan's limit. */
const limitTyped = (text: string): number | null => (text.trim() === '' ? null : wholeTyped(text))

const limitFault = (limit: number | null): string | null =>
  limit === null || (limit >= 1 && limit <= 10_000_000) ? null : 'Enter a whole number from 1 to 10,000,000, or leave it empty.'

/** Reads an account's custom limits from a form. @throws FieldsError if one is invalid */
function limitsIn(form: FormData) {
  const own = { perMinute: limitTyped(getText(form, 'perMinute')), perDay: limitTyped(getText(form, 'perDay')) }
  refuseFaults({ perMinute: limitFault(own.perMinute), perDay: limitFault(own.perDay) })
  return own
}

export async function setLimitsAction(previous: PreviewState, form: FormData): Promise<PreviewState> {
  return runPreviewedAction(previous, form, ['perMinute', 'perDay'], {
    show: async (caller, { account }) => ({ lines: ownLimitLines(await caller.admin.accounts.read({ account }), limitsIn(form)), message: null }),
    work: (caller, given) => caller.admin.accounts.setLimits({ ...given, ...limitsIn(form) }),
    toPath: after('limits'),
  })
}

export async function setWebhooksAction(previous: FormState, form: FormData): Promise<FormState> {
  const isOn = getText(form, 'isOn') === 'yes'
  return runAction(previous, form, after(isOn ? 'webhooks-on' : 'webhooks-off'), (caller, given) => caller.admin.accounts.setWebhooks({ ...given, isOn }))
}

export async function revokeKeyAction(previous: PreviewState, form: FormData): Promise<PreviewState> {
  const id = getText(form, 'key')
  return runPreviewedAction(previous, form, ['key'], {
    show: async (caller, { account }) => {
      const key = (await caller.admin.accounts.keys({ account })).find((one) => one.id === id)
      if (key === undefined) throw new FieldsError({ key: 'Choose a key.' })
      return { lines: revokeLines(key), message: null }
    },
    work: (caller, given) => caller.admin.accounts.revokeKey({ ...given, id }),
    toPath: after('key'),
  })
}

export async function endSessionsAction(previous: FormState, form: FormData): Promise<FormState> {
  return runAction(previous, form, after('sessions'), (caller, given) => caller.admin.accounts.endSessions(given))
}

export async function addNoteAction(previous: FormState, form: FormData): Promise<FormState> {
  return runAction(
    previous,
    form,
    (account) => `${after('note')(account)}#notes`,
    (caller, given) => caller.admin.accounts.addNote(given),
  )
}
