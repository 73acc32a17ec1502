import type { FormState } from '#components/forms/form-state.ts'

/** Preview of an email. `recipient` is null if it won't be sent. */
export type EmailContent = { readonly recipient: string | null; readonly subject: string; readonly text: string }

/** Preview of an admin action: its effects and the email that it sends. */
export type Preview = {
  readonly lines: readonly string[]
  readonly message: EmailContent | null
  /** Form values at the time of the preview. If they have changed since, the action is previewed again. */
  readonly signed: string
}

export type PreviewState = FormState & { readonly preview: Preview | null }

export type PreviewAction = (previous: PreviewState, form: FormData) => Promise<PreviewState>
