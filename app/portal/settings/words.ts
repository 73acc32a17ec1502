const done: Readonly<Record<string, string>> = {
  email: 'Your email is changed.',
  connected: 'The other sign-in is connected.',
  session: 'That device is signed out.',
  'second-factor-off': 'Two-factor sign-in is off.',
}

/** What was done before somebody came back here, or null. */
export const doneWords = (code: string | undefined): string | null => (code === undefined ? null : (done[code] ?? null))
