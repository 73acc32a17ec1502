import type { ReactNode } from 'react'
import { NativeForm } from '#components/forms/form.tsx'
import type { FormState } from '#components/forms/form-state.ts'

export type AuthFormProps = {
  /** Id of the next-auth provider that handles the form. */
  readonly provider: string
  /** Page that contains the form and shows its errors. */
  readonly page: string
  /** Page to go to after signing in. */
  readonly callbackUrl: string
  readonly csrfToken: string
  readonly state: FormState
}

/** Sign-in form that posts to next-auth's own endpoint. Works without JavaScript. */
export function AuthForm({ provider, page, callbackUrl, csrfToken, state, children }: AuthFormProps & { children: ReactNode }) {
  return (
    <NativeForm state={state} action={`/api/auth/callback/${provider}`}>
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="callbackUrl" value={callbackUrl} />
      <input type="hidden" name="page" value={page} />
      {children}
    </NativeForm>
  )
}
