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
  /** The day that its page would show. */
  today: Date
  actions: { readonly publish: FormAction; readonly rewrite: FormAction; readonly discard: FormAction }
}

/** A draft as it will look, on the page and in the mail, and what can be done with it. */
export function ChangeDraft({ draft, letter, told, today, actions }: Props) {
  return (
    <>
      <Part id="page" title="On the page">
        <ChangelogList entries={[{ ...draft, publishedAt: today }]} isFiltered={false} />
      </Part>
      <Part id="mail" title="In the mail">
        <EmailPreview {...letter} />
      </Part>
      <div className="max-w-152">
        <Part id="publish" title="Publish" lead="It is on the page and in the feed at once, and cannot be changed after.">
          <Form action={actions.publish} name="publish">
            <SeenFields {...draft} />
            <Why />
            <SubmitButton>Publish and email {accountsWords(told)}</SubmitButton>
          </Form>
        </Part>
        <Part id="rewrite" title="Rewrite">
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
