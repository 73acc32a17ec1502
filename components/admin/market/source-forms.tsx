import { TextAreaField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { number } from '#components/portal/amounts.ts'
import { AdminSection } from '../admin-title.tsx'
import { countsOf, type ShownPreview } from './held-feed.tsx'

const why = { name: 'reason', label: 'Why', hint: 'It stands in the audit log.', rows: 2 } as const

type HeldProps = { source: string; feed: string; preview: ShownPreview; publish: FormAction; decline: FormAction }

/** What can be done with a feed that was held back. */
export function HeldForms({ source, feed, preview, publish, decline }: HeldProps) {
  return (
    <>
      <AdminSection id="publish" title="Publish">
        <p className="mb-4 max-w-prose text-pretty text-ink-2">
          Before: the market as it is. After: the feed is taken in whole; it would {countsOf(preview)}. Callers see it with their next call, and webhooks are
          told. It cannot be rolled back, only followed by another feed.
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
          The market stays as it is. The text of this feed is forgotten, and the same text is not held back a second time.
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

/** Asks for a source to be fetched now. */
export function FetchForm({ source, fetch }: { source: string; fetch: FormAction }) {
  return (
    <AdminSection id="fetch" title="Fetch now">
      <p className="mb-4 max-w-prose text-pretty text-ink-2">
        The worker fetches it within seconds, whether or not it is due. A feed that would change more than usual is held back as ever.
      </p>
      <Form action={fetch} name="fetch">
        <input type="hidden" name="source" value={source} />
        <TextAreaField {...why} />
        <SubmitButton kind="second">Fetch now</SubmitButton>
      </Form>
    </AdminSection>
  )
}
