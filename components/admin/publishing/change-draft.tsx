import { ChangelogList } from '#components/docs/changelog.tsx'
import { ChoiceField } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { type ChangeKind, changeKinds } from '#server/api/contract/changelog.ts'
import { accountCount, DiscardDraft, DraftSection, EmailPreview, ReasonField, SeenFields } from './draft-section.tsx'

/** Content of an unpublished changelog entry. */
type ChangeText = { readonly kind: ChangeKind; readonly title: string; readonly body: string; readonly endpointIds: readonly string[] }

const empty: ChangeText = { kind: 'added', title: '', body: '', endpointIds: [] }

const choices = Object.entries(changeKinds).map(([value, label]) => ({ value, label }))

/** Form fields of a changelog entry, for new and existing drafts. */
export function ChangeFields({ text = empty }: { text?: ChangeText }) {
  return (
    <>
      <ChoiceField kind="radio" name="kind" legend="Kind" chosen={[text.kind]} choices={choices} />
      <TextField name="title" label="Title" defaultValue={text.title} hint="One line. Put API names in backticks." />
      <TextAreaField name="body" label="Text" rows={8} defaultValue={text.body} hint="Markdown: paragraphs, lists, links and code in backticks." />
      <TextAreaField
        name="endpointIds"
        label="Endpoints"
        isOptional
        defaultValue={text.endpointIds.join('\n')}
        hint="Ids of the affected endpoints, one per line, such as rates.list."
      />
    </>
  )
}

export type ShownChange = ChangeText & { readonly id: string; readonly revision: number }

type Props = {
  draft: ShownChange
  message: { readonly subject: string; readonly text: string }
  recipientCount: number
  /** Date shown as the publication date in the preview. */
  today: Date
  actions: { readonly publish: FormAction; readonly rewrite: FormAction; readonly discard: FormAction }
}

/** Previews a draft as it will appear on the changelog page and in the email, with forms to publish, edit and discard it. */
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
