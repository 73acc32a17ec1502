import { wrongPassword } from '#server/auth/sign-in.ts'

const done: Readonly<Record<string, string>> = {
  reset: 'You have been signed out on every device. Sign in with your new password.',
  confirmed: 'Your email is confirmed. Sign in to go on.',
  changed: 'Your email is changed. Sign in with the new one.',
  closed: 'Your account is closed.',
  everywhere: 'You have been signed out on every device.',
  ended: 'You were signed out. Sign in to go on.',
}

const errors: Readonly<Record<string, string>> = {
  'email-taken': 'There is already an account with this email. Sign in with its password, then connect the other sign-in under Settings.',
  'no-email': 'The provider did not tell us an email address. Create an account with a password instead.',
  refused: 'This sign-in did not work. Try again.',
  code: 'The sign-in took too long. Start again.',
  CredentialsSignin: wrongPassword,
  throttled: 'Too many attempts. Try again in 15 minutes.',
}

/** What was done before somebody came here, or null. */
export const doneWords = (code: string | undefined): string | null => (code === undefined ? null : (done[code] ?? null))

/** What nobody did themselves is not told as done. */
export const doneTone = (code: string | undefined): 'good' | 'caution' => (code === 'ended' ? 'caution' : 'good')

/** Why somebody came back here, or null. Codes that next-auth brings along and we do not know mean that the provider failed. */
export const errorWords = (code: string | undefined): string | null => (code === undefined ? null : (errors[code] ?? 'The sign-in did not work. Try again.'))
