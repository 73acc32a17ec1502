import { ChangelogList } from '#components/docs/changelog-list.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { ChangeFields, type ChangeText } from './change-fields.tsx'
import { accountCount } from './counts.ts'
import { DiscardDraft, SeenFields } from './draft-forms.tsx'
import { DraftSection } from './draft-section.tsx'
import { EmailPreview } from './email-preview.tsx'
import { ReasonField } from './reason-field.tsx'

export type ShownChange = ChangeText & { readonly id: string; readonly revision: number }

type Props = {
  draft: ShownChange
  message: { readonly subject: string; readonly text: string }
  recipientCount: number
  /** Publication date for the preview. */
  today: Date
  actions: { readonly publish: FormAction; readonly rewrite: FormAction; readonly discard: FormAction }
}

/** Preview of a draft on the page and in the email, with its actions. */
export function ChangeDraft({ draft, message, recipientCount, today, actions }: Props) {
  return (
    <>
      <DraftSection id="page" title="Page preview">
        <ChangelogList entries={[{ ...draft, publishedAt: today }]} isFiltered={false} />
      </DraftSection>
      <DraftSection id="mail" title="Email preview">
        <EmailPreview {...message} />
      </DraftSection>
      <div className="max-w-152">
        <DraftSection id="publish" title="Publish" lead="Published to the page and the feed immediately. You can’t change it afterwards.">
          <Form action={actions.publish} name="publish">
            <SeenFields {...draft} />
            <ReasonField />
            <SubmitButton>Publish and email {accountCount(recipientCount)}</SubmitButton>
          </Form>
        </DraftSection>
        <DraftSection id="rewrite" title="Edit">
          <Form action={actions.rewrite} name="rewrite">
            <SeenFields {...draft} />
            <ChangeFields text={draft} />
            <ReasonField />
            <SubmitButton kind="second">Save draft</SubmitButton>
          </Form>
        </DraftSection>
        <DiscardDraft draft={draft} action={actions.discard} />
      </div>
    </>
  )
}
