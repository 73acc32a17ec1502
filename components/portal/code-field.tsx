import { TextField } from '#components/forms/field.tsx'

/** Field for a two-factor code. */
export function CodeField() {
  return (
    <TextField
      name="code"
      label="Authentication code"
      hint="6-digit code from your app, or a recovery code."
      autoComplete="one-time-code"
      size="short"
      isCode
    />
  )
}
