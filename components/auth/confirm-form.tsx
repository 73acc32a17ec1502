import { PasswordField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import type { FormAction } from '../ui/form-state.ts'
import { Notice } from '../ui/notice.tsx'
import { SubmitButton } from '../ui/submit-button.tsx'

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
