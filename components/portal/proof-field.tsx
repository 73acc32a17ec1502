import { PasswordField } from '../ui/field.tsx'

/** Asks whether it is still the owner who sits there. An account without a password has none to ask for: its sign-in has to be recent. */
export function ProofField({ hasPassword }: { hasPassword: boolean }) {
  if (!hasPassword) return <p className="text-note text-ink-2">You sign in without a password, so this works within 15 minutes of signing in.</p>
  return <PasswordField name="currentPassword" label="Current password" autoComplete="current-password" />
}
