import { TextAreaField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { number } from '#components/portal/amounts.ts'
import { AdminSection } from '../admin-title.tsx'
import { describeCounts, type ShownPreview } from './quarantined-import.tsx'

const why = { name: 'reason', label: 'Why', hint: 'Recorded in the audit log.', rows: 2 } as const

type HeldProps = { source: string; feed: string; preview: ShownPreview; publish: FormAction; decline: FormAction }

/** Forms that publish or decline a quarantined import. */
export function HeldForms({ source, feed, preview, publish, decline }: HeldProps) {
  return (
    <>
      <AdminSection id="publish" title="Publish">
        <p className="mb-4 max-w-prose text-pretty text-ink-2">
          Imports the whole feed. It would {describeCounts(preview)}. Callers see the changes on their next call, and webhooks are sent. This can’t be rolled
          back, only replaced by another feed.
        </p>
        <Form action={publish} name="publish">
          <input type="hidden" name="source" value={source} />
          <input type="hidden" name="feed" value={feed} />
          <TextAreaField {...why} />
          <SubmitButton>Publish {number(preview.rows)} rows</SubmitButton>
        </Form>
      </AdminSection>
      <AdminSection id="decline" title="Decline">
        <p className="mb-4 max-w-prose text-pretty text-ink-2">
          Nothing is imported. The content of this feed is deleted, and the same content isn’t quarantined again.
        </p>
        <Form action={decline} name="decline">
          <input type="hidden" name="source" value={source} />
          <input type="hidden" name="feed" value={feed} />
          <TextAreaField {...why} />
          <SubmitButton kind="danger">Decline this feed</SubmitButton>
        </Form>
      </AdminSection>
    </>
  )
}

/** Form that requests an immediate fetch of a source. */
export function FetchForm({ source, fetch }: { source: string; fetch: FormAction }) {
  return (
    <AdminSection id="fetch" title="Fetch now">
      <p className="mb-4 max-w-prose text-pretty text-ink-2">
        The worker fetches it within seconds, even if it isn’t due. An import with unusually large changes is still quarantined.
      </p>
      <Form action={fetch} name="fetch">
        <input type="hidden" name="source" value={source} />
        <TextAreaField {...why} />
        <SubmitButton kind="second">Fetch now</SubmitButton>
      </Form>
    </AdminSection>
  )
}
