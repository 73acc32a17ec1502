import { PasswordField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { AuthForm, type AuthFormProps } from './auth-form.tsx'

type Props = { form: AuthFormProps; token: string; asks: 'nothing' | 'password' | 'sign-in' }

/**
 * Form that confirms an email address. In a browser other than the one used for sign-up, the user must also prove that the account is theirs, because someone
 * else may have signed up with their address.
 */
export function ConfirmForm({ form, token, asks }: Props) {
  if (asks === 'sign-in')
    return (
      <>
        <Notice tone="caution">You signed up in a different browser. Sign in here first, then open the link again.</Notice>
        <p className="mt-6">
          <a className="prose-link" href="/sign-in">
            Sign in
          </a>
        </p>
      </>
    )
  return (
    <>
      <AuthForm {...form}>
        <input type="hidden" name="token" value={token} />
        {asks === 'password' ? (
          <PasswordField
            name="password"
            label="Password"
            hint="You signed up in a different browser. Enter your password to confirm."
            autoComplete="current-password"
          />
        ) : null}
        <SubmitButton>Confirm email</SubmitButton>
      </AuthForm>
      {asks === 'password' ? (
        <p className="mt-8 text-ink-2">
          Didn't create this account? Leave it unconfirmed and{' '}
          <a className="prose-link" href="/sign-up">
            create your own
          </a>
          .
        </p>
      ) : null}
    </>
  )
}
