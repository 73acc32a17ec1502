import type { AuthFormProps } from '#components/auth/auth-form.tsx'
import { untouched } from '#components/forms/form-state.ts'
import { currentCookie, currentCsrfToken } from '#server/auth/current-request.ts'
import { wrongPassword } from '#server/auth/sign-in.ts'

/**
 * Returns the props of a form that next-auth handles. `page` is the page with the form, `next` the page to open after signing in. If `error` is `form`, the
 * form shows the errors of its last submission.
 */
export async function authForm(provider: string, page: string, next: string, error: string | undefined): Promise<AuthFormProps> {
  const failed = error === 'form' ? await currentCookie('faults') : null
  const state = failed?.form === provider ? { ...untouched, attempt: 1, faults: failed.faults, typed: { email: [failed.email] } } : untouched
  return { provider, page, callbackUrl: next, csrfToken: await currentCsrfToken(), state }
}

const done: Readonly<Record<string, string>> = {
  reset: "You've been signed out on all devices. Sign in with your new password.",
  confirmed: 'Email confirmed. Sign in to continue.',
  changed: 'Email changed. Sign in with your new email.',
  closed: 'Your account is closed.',
  everywhere: "You've been signed out on all devices.",
  ended: "You've been signed out. Sign in to continue.",
}

const errors: Readonly<Record<string, string>> = {
  'email-taken': 'An account with this email already exists. Sign in with your password, then connect the other account under Settings.',
  'no-email': "We need your email address to create an account, but didn't receive it. Sign up with a password instead.",
  refused: 'Sign-in failed. Try again.',
  provider: "The organisation's identity provider didn't respond as expected. Try again later, or contact the owner of the account.",
  unlinked:
    "You haven't connected single sign-on to your account yet. Sign in with your password and connect it under Settings > Security, or open the link in your invitation.",
  code: 'Sign-in took too long. Start again.',
  CredentialsSignin: wrongPassword,
  throttled: 'Too many attempts. Try again in 15 minutes.',
}

/** Returns the success message for a code in the URL, or null. */
export const doneMessage = (code: string | undefined): string | null => (code === undefined ? null : (done[code] ?? null))

/** Returns the tone of a message. The message about an ended session is a caution, because the user did not end it. */
export const doneTone = (code: string | undefined): 'good' | 'caution' => (code === 'ended' ? 'caution' : 'good')

/** Returns the error message for a code in the URL, or null. Unknown codes come from next-auth and mean that the provider failed. */
export const errorMessage = (code: string | undefined): string | null =>
  code === undefined || code === 'form' ? null : (errors[code] ?? 'Sign-in failed. Try again.')
