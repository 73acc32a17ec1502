import { PasswordField, TextField } from '#components/forms/field.tsx'
import type { Proof } from '#server/api/contract/field-errors.ts'

/** Asks for the password or a code before a sensitive form is accepted. Typed values are kept. */
export function ConfirmIdentity({ proof }: { proof: Proof }) {
  return (
    <fieldset className="flex flex-col gap-3 rounded-panel border-2 border-accent px-4 py-3">
      <legend className="px-1 font-semibold">Confirm it's you</legend>
      {proof === 'password' ? (
        <PasswordField name="identityPassword" label="Your password" autoComplete="current-password" />
      ) : proof === 'code' ? (
        <TextField
          name="identityCode"
          label="Authentication code"
          hint="6-digit code from your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          size="short"
          isCode
        />
      ) : (
        <p>
          <a className="prose-link" href="/sign-in/confirm" target="_blank" rel="noreferrer">
            Sign in again in a new tab
          </a>
          , then come back here and continue.
        </p>
      )}
    </fieldset>
  )
}
