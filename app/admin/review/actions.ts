'use server'

import type { PreviewState } from '#components/admin/preview-state.ts'
import type { FormState } from '#components/forms/form-state.ts'
import { deed, previewedDeed } from '#server/pages/admin/admin-actions.ts'
import { approve, decline, showDecline } from '#server/pages/admin/review-actions.ts'

/** Whoever decided goes back to those who wait. */

export async function approveCandidateAction(previous: FormState, form: FormData): Promise<FormState> {
  return deed(previous, form, () => '/admin/review?done=approve', approve)
}

export async function declineCandidateAction(previous: PreviewState, form: FormData): Promise<PreviewState> {
  return previewedDeed(previous, form, ['told'], {
    show: (desk, given) => showDecline(form, desk, given),
    work: (desk, given) => decline(form, desk, given),
    way: () => '/admin/review?done=decline',
  })
}
