const done: Readonly<Record<string, string>> = {
  email: 'Your email is changed.',
  connected: 'The other sign-in is connected.',
  'not-connected': 'Nothing was connected. Start again from here, and come back from the provider within 15 minutes.',
  disconnected: 'The other sign-in is disconnected. Every other device is signed out.',
  session: 'That device is signed out.',
  'second-factor-off': 'Two-factor sign-in is off. Every other device is signed out.',
}

/** What was done before somebody came back here, or null. */
export const doneWords = (code: string | undefined): string | null => (code === undefined ? null : (done[code] ?? null))
