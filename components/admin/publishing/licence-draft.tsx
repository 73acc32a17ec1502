import { Time } from '#components/data/time.tsx'
import { Markdown } from '#components/docs/markdown.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { DiscardDraft, SeenFields } from './draft-forms.tsx'
import { EmailPreview } from './email-preview.tsx'
import { LicenceFields, type LicenceText } from './licence-fields.tsx'
import { Part } from './part.tsx'
import { Why } from './why.tsx'
import { accountsWords } from './words.ts'

export type ShownLicence = LicenceText & { readonly id: string; readonly revision: number }

type Props = {
  draft: ShownLicence
  letter: { readonly subject: string; readonly text: string }
  /** Accounts that have to accept it, and those of them that are told by mail. */
  concerned: number
  told: number
  /** Label of the version in force. */
  before: string
  actions: { readonly publish: FormAction; readonly rewrite: FormAction; readonly discard: FormAction }
}

function Publish({ draft, concerned, told, before, action }: Omit<Props, 'letter' | 'actions'> & { action: FormAction }) {
  return (
    <Part id="publish" title="Publish" lead="The text stays as it is from then on, and can be read for good.">
      <p className="mb-5">
        Before: {before} is accepted. After: {draft.label} is accepted, by {accountsWords(concerned)}. Calls of those that have not are refused from{' '}
        <Time at={`${draft.graceEndsOn}T00:00:00Z`} look="day" /> on.
      </p>
      <Form action={action} name="publish">
        <SeenFields {...draft} />
        <Why />
        <SubmitButton>
          Publish {draft.label} and email {accountsWords(told)}
        </SubmitButton>
      </Form>
    </Part>
  )
}

/** A version as it will be read, and what can be done with it. */
export function LicenceDraft({ letter, actions, ...props }: Props) {
  const { draft } = props
  return (
    <>
      <Part id="mail" title="In the mail">
        <EmailPreview {...letter} />
      </Part>
      <div className="max-w-152">
        <Publish {...props} action={actions.publish} />
        <Part id="rewrite" title="Rewrite">
          <Form action={actions.rewrite} name="rewrite">
            <SeenFields {...draft} />
            <LicenceFields text={draft} />
            <Why />
            <SubmitButton kind="second">Save draft</SubmitButton>
          </Form>
        </Part>
        <DiscardDraft draft={draft} action={actions.discard} />
      </div>
      <Part id="text" title="The text, as it will be read">
        <div className="max-w-[68ch] border-t border-line">
          <Markdown source={draft.body} />
        </div>
      </Part>
    </>
  )
}
