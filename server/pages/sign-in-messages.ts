import { wrongPassword } from '#server/auth/sign-in.ts'

const done: Readonly<Record<string, string>> = {
  reset: "You've been signed out on all devices. Sign in with your new password.",
  confirmed: 'Email confirmed. Sign in to continue.',
  changed: 'Email changed. Sign in with the new one.',
  closed: 'Your account is closed.',
  everywhere: "You've been signed out on all devices.",
  ended: "You've been signed out. Sign in to continue.",
}

const errors: Readonly<Record<string, string>> = {
  'email-taken': 'An account with this email already exists. Sign in with your password, then connect the other account under Settings.',
  'no-email': "The provider didn't share an email address. Create an account with a password instead.",
  refused: 'Sign-in failed. Try again.',
  code: 'Sign-in took too long. Start again.',
  CredentialsSignin: wrongPassword,
  throttled: 'Too many attempts. Try again in 15 minutes.',
}

/** Returns the success message for a code in the URL, or null. */
export const doneMessage = (code: string | undefined): string | null => (code === undefined ? null : (done[code] ?? null))

/** Messages about something the user didn't do are not shown as success. */
export const doneTone = (code: string | undefined): 'good' | 'caution' => (code === 'ended' ? 'caution' : 'good')

/** Returns the error message for a code in the URL, or null. Unknown codes come from next-auth and mean that the provider failed. */
export const errorMessage = (code: string | undefined): string | null => (code === undefined ? null : (errors[code] ?? 'Sign-in failed. Try again.'))
