import { ChangelogList } from '#components/docs/changelog-list.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { ChangeFields, type ChangeText } from './change-fields.tsx'
import { DiscardDraft, SeenFields } from './draft-forms.tsx'
import { EmailPreview } from './email-preview.tsx'
import { Part } from './part.tsx'
import { Why } from './why.tsx'
import { accountsWords } from './words.ts'

export type ShownChange = ChangeText & { readonly id: string; readonly revision: number }

type Props = {
  draft: ShownChange
  letter: { readonly subject: string; readonly text: string }
  told: number
  /** Publication date for the preview. */
  today: Date
  actions: { readonly publish: FormAction; readonly rewrite: FormAction; readonly discard: FormAction }
}

/** Preview of a draft on the page and in the email, with its actions. */
export function ChangeDraft({ draft, letter, told, today, actions }: Props) {
  return (
    <>
      <Part id="page" title="Page preview">
        <ChangelogList entries={[{ ...draft, publishedAt: today }]} isFiltered={false} />
      </Part>
      <Part id="mail" title="Email preview">
        <EmailPreview {...letter} />
      </Part>
      <div className="max-w-152">
        <Part id="publish" title="Publish" lead="Published to the page and the feed immediately. You can’t change it afterwards.">
          <Form action={actions.publish} name="publish">
            <SeenFields {...draft} />
            <Why />
            <SubmitButton>Publish and email {accountsWords(told)}</SubmitButton>
          </Form>
        </Part>
        <Part id="rewrite" title="Edit">
          <Form action={actions.rewrite} name="rewrite">
            <SeenFields {...draft} />
            <ChangeFields text={draft} />
            <Why />
            <SubmitButton kind="second">Save draft</SubmitButton>
          </Form>
        </Part>
        <DiscardDraft draft={draft} action={actions.discard} />
      </div>
    </>
  )
}
