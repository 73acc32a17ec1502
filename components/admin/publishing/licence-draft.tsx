import { Time } from '#components/data/time.tsx'
import { Markdown } from '#components/docs/markdown.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { accountCount, DiscardDraft, DraftSection, EmailPreview, ReasonField, SeenFields } from './draft-section.tsx'

/** Content of a Data Licence version. */
type LicenceText = { readonly label: string; readonly changes: string; readonly body: string; readonly graceEndsOn: string }

/** Form fields of a licence version, for new and existing drafts. */
export function LicenceFields({ text }: { text: LicenceText }) {
  return (
    <>
      <TextField name="label" label="Version" size="short" defaultValue={text.label} hint="Year and month, such as v2027-01." />
      <TextAreaField
        name="changes"
        label="What changed"
        rows={4}
        defaultValue={text.changes}
        hint="Shown on the acceptance page, in the changelog and in the email."
      />
      <TextField
        name="graceEndsOn"
        label="Grace period ends"
        type="date"
        size="short"
        defaultValue={text.graceEndsOn}
        hint="At 00:00 UTC on this date. From then on, calls from accounts that haven’t accepted this version are rejected."
      />
      <TextAreaField name="body" label="Text" rows={16} defaultValue={text.body} hint="Markdown, without the title." />
    </>
  )
}

export type ShownLicence = LicenceText & { readonly id: string; readonly revision: number }

type Props = {
  draft: ShownLicence
  message: { readonly subject: string; readonly text: string }
  /** Number of accounts that must accept the version. */
  concerned: number
  /** Number of accounts notified by email. */
  recipientCount: number
  /** Label of the current version. */
  before: string
  actions: { readonly publish: FormAction; readonly rewrite: FormAction; readonly discard: FormAction }
}

function Publish({ draft, concerned, recipientCount, before, action }: Omit<Props, 'message' | 'actions'> & { action: FormAction }) {
  return (
    <DraftSection id="publish" title="Publish" lead="A published version can’t be changed and stays available permanently.">
      <p className="mb-5">
        Current version: {before}. After: {draft.label}, to be accepted by {accountCount(concerned)}. Calls from accounts that haven’t accepted it are rejected
        from <Time at={`${draft.graceEndsOn}T00:00:00Z`} look="day" />.
      </p>
      <Form action={action} name="publish">
        <SeenFields {...draft} />
        <ReasonField />
        <SubmitButton>
          Publish {draft.label} and email {accountCount(recipientCount)}
        </SubmitButton>
      </Form>
    </DraftSection>
  )
}

/** Preview of a draft licence version, with forms for the actions on it. */
export function LicenceDraft({ message, actions, ...props }: Props) {
  const { draft } = props
  return (
    <>
      <DraftSection id="mail" title="Email preview">
        <EmailPreview {...message} />
      </DraftSection>
      <div className="max-w-152">
        <Publish {...props} action={actions.publish} />
        <DraftSection id="rewrite" title="Edit">
          <Form action={actions.rewrite} name="rewrite">
            <SeenFields {...draft} />
            <LicenceFields text={draft} />
            <ReasonField />
            <SubmitButton kind="second">Save draft</SubmitButton>
          </Form>
        </DraftSection>
        <DiscardDraft draft={draft} action={actions.discard} />
      </div>
      <DraftSection id="text" title="Text preview">
        <div className="max-w-[68ch] border-t border-line">
          <Markdown source={draft.body} />
        </div>
      </DraftSection>
    </>
  )
}
