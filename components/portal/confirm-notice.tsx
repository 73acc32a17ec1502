import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { Notice } from '#components/ui/notice.tsx'

type Props = {
  email: string
  /** Sends a new link. */
  action: FormAction
  /** True if nothing more important is on the page. */
  isFirst: boolean
}

/** Asks a new account to confirm its email. The link expires after 30 minutes, so a new one can be requested. */
export function ConfirmNotice({ email, action, isFirst }: Props) {
  return (
    <Notice tone="caution" title="Confirm your email">
      <p className="mb-3 wrap-anywhere">
        We sent a link to {email}. It works once and expires in 30 minutes. You can't create keys or top up until you confirm. Unused accounts that aren't
        confirmed are closed after 30 days.
      </p>
      <Form action={action} name="confirm">
        <SubmitButton kind={isFirst ? 'primary' : 'second'}>Resend link</SubmitButton>
      </Form>
    </Notice>
  )
}
