const done: Readonly<Record<string, string>> = {
  email: 'Your email is changed.',
  connected: 'The other sign-in is connected.',
  'not-connected': 'Nothing was connected. Start again from here: it takes your password and at most 15 minutes.',
  disconnected: 'The other sign-in is disconnected. Every other device is signed out.',
  session: 'That device is signed out.',
  'second-factor-off': 'Two-factor sign-in is off.',
}

/** What was done before somebody came back here, or null. */
export const doneWords = (code: string | undefined): string | null => (code === undefined ? null : (done[code] ?? null))
