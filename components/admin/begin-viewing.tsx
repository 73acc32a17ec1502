import { TextAreaField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { Notice } from '#components/ui/notice.tsx'

type Props = { account: string; email: string; isOwn: boolean; minutes: number; action: FormAction }

/** Says what a look at the portal of an account is, and why it is taken. */
export function BeginViewing({ account, email, isOwn, minutes, action }: Props) {
  if (isOwn) return <Notice tone="info">This is your own account. Its portal is My portal, in the menu.</Notice>
  return (
    <>
      <p className="mb-5 text-pretty wrap-anywhere">
        Every page under /portal is then that of {email}, for {minutes} minutes. Nothing can be changed in it. That you looked stands in the audit log and in
        the history of the account, without the reason.
      </p>
      <Form action={action} name="view">
        <input type="hidden" name="account" value={account} />
        <TextAreaField name="reason" label="Why" hint="For the audit log. The account does not see it." rows={2} />
        <SubmitButton>View the portal as this account</SubmitButton>
      </Form>
    </>
  )
}
