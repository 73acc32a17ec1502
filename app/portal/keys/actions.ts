'use server'

import { refresh } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormState } from '#components/forms/form-state.ts'
import { keyConfirmation } from '#components/portal/key-use.ts'
import type { KeyFormState, MadeKey } from '#components/portal/secret-form-states.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { answerForm, getText, getTexts } from '#server/pages/answer-form.ts'
import { portalCaller } from '#server/pages/portal-caller.ts'

async function answerKeyForm(previous: FormState, form: FormData, make: () => Promise<MadeKey>): Promise<KeyFormState> {
  let made: MadeKey | null = null
  const state = await answerForm(previous, form, async () => {
    made = await make()
    return null
  })
  return { ...state, made }
}

export async function createKeyAction(previous: KeyFormState, form: FormData): Promise<KeyFormState> {
  return answerKeyForm(previous, form, async () => {
    const mode = getText(form, 'mode') === 'live' ? 'live' : 'test'
    const typed = { mode, name: getText(form, 'name'), addresses: getText(form, 'addresses'), cap: getText(form, 'cap'), expires: getText(form, 'expires') }
    const scopes = getTexts(form, 'scopes')
    return { ...(await (await portalCaller()).keys.create({ ...typed, scopes })), mode, scopes }
  })
}

const overlaps = [0, 1, 6, 24] as const

export async function rotateKeyAction(previous: KeyFormState, form: FormData): Promise<KeyFormState> {
  return answerKeyForm(previous, form, async () => {
    const overlapHours = overlaps.find((hours) => String(hours) === getText(form, 'overlap')) ?? 0
    const { keys } = await portalCaller()
    const made = await keys.rotate({ id: getText(form, 'id'), overlapHours })
    const { mode, scopes } = await keys.read({ id: made.id })
    // Updates the old key's details elsewhere on the page, while the form keeps showing the new key.
    refresh()
    return { id: made.id, key: made.key, mode, scopes }
  })
}

/** Revokes a key. For a live key, the user must type its name and last four characters, because the key's clients stop working immediately. */
export async function revokeKeyAction(previous: FormState, form: FormData): Promise<FormState> {
  return answerForm(previous, form, async () => {
    const portal = await portalCaller()
    const key = await portal.keys.read({ id: getText(form, 'id') })
    const wanted = keyConfirmation(key)
    if (key.mode === 'live' && getText(form, 'name').trim() !== wanted)
      throw new FieldsError({ name: `Type the key's name and last four characters: ${wanted}.` })
    await portal.keys.revoke({ id: key.id })
    redirect(`/portal/keys?revoked=${key.id}#ended`)
  })
}
