const done: Readonly<Record<string, string>> = {
  email: 'Email changed.',
  connected: 'Account connected.',
  'not-connected': 'No account was connected. Start again and return from the provider within 15 minutes.',
  disconnected: 'Account disconnected. All other devices have been signed out.',
  session: 'Device signed out.',
  'second-factor-off': 'Two-factor sign-in is off. All other devices have been signed out.',
}

/** Returns the success message for a code in the URL, or null. */
export const doneMessage = (code: string | undefined): string | null => (code === undefined ? null : (done[code] ?? null))
