import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { Notice } from '#components/ui/notice.tsx'

type Props = {
  email: string
  /** Sends the link again. */
  action: FormAction
  /** Whether the page has nothing that comes before it. */
  isFirst: boolean
}

/** What comes before everything else for a new account: its link works for half an hour, so another one is at hand. */
export function ConfirmNotice({ email, action, isFirst }: Props) {
  return (
    <Notice tone="caution" title="Confirm your email">
      <p className="mb-3 wrap-anywhere">
        We sent a link to {email}. It works once, for 30 minutes. Keys and top-ups need the confirmation. Without it, an account that is not in use is closed
        after 30 days.
      </p>
      <Form action={action} name="confirm">
        <SubmitButton kind={isFirst ? 'primary' : 'second'}>Send a new link</SubmitButton>
      </Form>
    </Notice>
  )
}
