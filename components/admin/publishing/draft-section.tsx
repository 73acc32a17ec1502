import type { ReactNode } from 'react'
import { TextField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'

/** Section of an admin page, with `lead` as its introduction. */
export function DraftSection({ id, title, lead, children }: { id: string; title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby={`part-${id}`} className="mt-10">
      <h2 id={`part-${id}`} className="text-h2 font-semibold">
        {title}
      </h2>
      {lead === undefined ? null : <p className="mt-1 max-w-[68ch] text-pretty text-ink-2">{lead}</p>}
      <div className="mt-4">{children}</div>
    </section>
  )
}

/** Formats a count: `1 account`, `1,204 accounts`. */
export const accountCount = (count: number): string => (count === 1 ? '1 account' : `${count.toLocaleString('en-GB')} accounts`)

/** Progress of a bulk email: whether all of its emails are queued, and their number by state. */
export type EmailProgress = {
  readonly isMade: boolean
  readonly waiting: number
  readonly sent: number
  readonly failed: number
  /** Number of emails that may or may not have been sent, because sending was interrupted. They are not retried. */
  readonly unsure: number
}

/** Formats progress, such as `1,200 sent, 3 failed`. */
export function emailProgress(progress: EmailProgress | null): string {
  if (progress === null) return 'No emails'
  const counts = [
    [progress.sent, 'sent'],
    [progress.waiting, 'waiting'],
    [progress.failed, 'failed'],
    [progress.unsure, 'interrupted, not retried'],
  ] as const
  const parts = counts.filter(([count]) => count > 0).map(([count, label]) => `${count.toLocaleString('en-GB')} ${label}`)
  if (!progress.isMade) return [...parts, 'more being queued'].join(', ')
  return parts.length === 0 ? 'No longer counted' : parts.join(', ')
}

export function EmailPreview({ subject, text }: { subject: string; text: string }) {
  return (
    <div className="rounded-panel border border-line bg-surface">
      <p className="border-b border-line px-4 py-2 font-medium wrap-anywhere">{subject}</p>
      <p className="max-w-[68ch] p-4 wrap-anywhere whitespace-pre-line">{text}</p>
    </div>
  )
}

/** Field for the reason, required for every admin action. */
export const ReasonField = () => <TextField name="reason" label="Why" hint="Recorded in the audit log. Not shown to customers." />

/** Hidden fields with the id and revision of the displayed draft. */
export function SeenFields({ id, revision }: { id: string; revision: number }) {
  return (
    <>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="revision" value={revision} />
    </>
  )
}

type Props = { draft: { readonly id: string; readonly revision: number }; action: FormAction }

export function DiscardDraft({ draft, action }: Props) {
  return (
    <DraftSection id="discard" title="Discard" lead="Deletes the draft. You can’t undo this.">
      <Form action={action} name="discard">
        <SeenFields {...draft} />
        <ReasonField />
        <SubmitButton kind="danger">Discard this draft</SubmitButton>
      </Form>
    </DraftSection>
  )
}
