'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { penceTyped, wholesTyped, wholeTyped } from '#server/api/contract/formats.ts'
import { answerForm, getText } from '#server/pages/answer-form.ts'
import { portalCaller } from '#server/pages/portal-caller.ts'

/** Starts a purchase and redirects to the checkout. */
export async function payAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const purchase = { key: getText(form, 'key'), amountPence: wholeTyped(getText(form, 'amountPence')), savesCard: getText(form, 'savesCard') === 'yes' }
    const { url } = await (await portalCaller()).billing.startTopUp(purchase)
    redirect(url)
  })
}

export async function setAlertsAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).billing.setAlerts({ thresholds: wholesTyped(getText(form, 'thresholds')) })
    redirect('/portal/billing?done=alerts#alerts')
  })
}

export async function setCapAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const typed = getText(form, 'cap').trim()
    await (await portalCaller()).billing.setCap({ capCredits: typed === '' ? null : wholeTyped(typed) })
    redirect('/portal/billing?done=cap#cap')
  })
}

export async function setAutoTopUpAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const wanted = {
      isOn: getText(form, 'isOn') === 'yes',
      thresholdCredits: wholeTyped(getText(form, 'threshold')),
      amountPence: penceTyped(getText(form, 'amount')),
      ceilingPence: penceTyped(getText(form, 'ceiling')),
    }
    await (await portalCaller()).billing.setAutoTopUp(wanted)
    redirect('/portal/billing?done=auto#auto-top-up')
  })
}

export async function removeCardAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    await (await portalCaller()).billing.removeCard()
    redirect('/portal/billing?done=card#auto-top-up')
  })
}

/** Redirects to Stripe's customer portal. */
export async function openStripeAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const url = await (await portalCaller()).billing.customerPage()
    if (url === null) throw new FieldsError({ form: 'No billing details yet. They are created with your first top-up.' })
    redirect(url)
  })
}
