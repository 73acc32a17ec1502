import type { FormState } from '#components/forms/form-state.ts'

/** A letter as it will be sent. `recipient` is null when it would go to nobody. */
export type ShownLetter = { readonly recipient: string | null; readonly subject: string; readonly text: string }

/** What a deed will do, before it is done: in words, and with the letter that goes out. */
export type Preview = {
  readonly lines: readonly string[]
  readonly letter: ShownLetter | null
  /** What was filled in as this was shown: another deed than the one that was shown is shown first. */
  readonly sealed: string
}

export type PreviewState = FormState & { readonly preview: Preview | null }

export type PreviewAction = (previous: PreviewState, form: FormData) => Promise<PreviewState>
