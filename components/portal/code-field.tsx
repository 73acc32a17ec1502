import { TextField } from '#components/forms/field.tsx'

/** Asks an account with two-factor sign-in for a code. */
export function CodeField() {
  return <TextField name="code" label="Code from your app" hint="Or one of your recovery codes." autoComplete="one-time-code" size="short" isCode />
}
