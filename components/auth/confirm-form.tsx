import { PasswordField } from '#components/forms/field.tsx'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { Notice } from '#components/ui/notice.tsx'

type Props = { action: FormAction; token: string; asks: 'nothing' | 'password' | 'sign-in' }

/** One press in the browser that signed up. In any other whoever presses shows that the account is theirs: a stranger may have made it with their address. */
export function ConfirmForm({ action, token, asks }: Props) {
  if (asks === 'sign-in')
    return (
      <>
        <Notice tone="caution">This browser is not the one that you signed up in. Sign in here first, then open the link again.</Notice>
        <p className="mt-6">
          <a className="prose-link" href="/sign-in">
            Sign in
          </a>
        </p>
      </>
    )
  return (
    <>
      <Form action={action}>
        <input type="hidden" name="token" value={token} />
        {asks === 'password' ? (
          <PasswordField
            name="password"
            label="Password"
            hint="This browser does not know the account yet. Enter the password that you chose for it."
            autoComplete="current-password"
          />
        ) : null}
        <SubmitButton>Confirm email</SubmitButton>
      </Form>
      {asks === 'password' ? (
        <p className="mt-8 text-ink-2">
          You did not create this account? Leave it unconfirmed, and{' '}
          <a className="prose-link" href="/sign-up">
            create your own
          </a>
          .
        </p>
      ) : null}
    </>
  )
}
