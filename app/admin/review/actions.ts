'use server'

import type { PreviewState } from '#components/admin/email-preview.tsx'
import type { FormState } from '#components/forms/form-state.ts'
import { approve, decline, runAction, runPreviewedAction, showDecline } from '#server/pages/admin/admin-actions.ts'

/** Approves an account and returns to the review queue. */
export async function approveCandidateAction(previous: FormState, form: FormData): Promise<FormState> {
  return runAction(previous, form, () => '/admin/review?done=approve', approve)
}

export async function declineCandidateAction(previous: PreviewState, form: FormData): Promise<PreviewState> {
  return runPreviewedAction(previous, form, ['customerMessage'], {
    show: (caller, given) => showDecline(form, caller, given),
    work: (caller, given) => decline(form, caller, given),
    toPath: () => '/admin/review?done=decline',
  })
}
