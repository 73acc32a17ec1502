import { CheckboxGroup } from '#components/forms/choice-field.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'

export type ScopeLine = { readonly name: string; readonly opens: string }

/** Permissions of a key. */
export function ScopesField({ scopes, chosen }: { scopes: readonly ScopeLine[]; chosen: readonly string[] }) {
  return (
    <CheckboxGroup
      name="scopes"
      legend="Permissions"
      chosen={chosen}
      choices={scopes.map(({ name, opens }) => ({ value: name, label: <code className="font-mono text-table">{name}</code>, hint: opens }))}
    />
  )
}

/** Monthly cap of a live key. */
export function CapField({ defaultValue }: { defaultValue: string }) {
  return (
    <TextField
      name="cap"
      label="Monthly cap in credits"
      isOptional
      inputMode="numeric"
      size="short"
      defaultValue={defaultValue}
      hint="Calls over the cap are rejected until the month ends (UTC). Leave empty for no cap."
    />
  )
}

/** Limits that only live keys have. */
export function LiveKeyFields({ addresses = [], capCredits = null }: { addresses?: readonly string[]; capCredits?: number | null }) {
  return (
    <>
      <TextAreaField
        name="addresses"
        isCode
        label="Allowed IPs"
        isOptional
        defaultValue={addresses.join('\n')}
        hint="One IP address or CIDR range per line, e.g. 203.0.113.0/24. Leave empty to allow any IP."
      />
      <CapField defaultValue={capCredits === null ? '' : String(capCredits)} />
    </>
  )
}

/** Day on which a key expires. */
export function ExpiryField({ expiresAt = null }: { expiresAt?: Date | null }) {
  return (
    <TextField
      name="expires"
      label="Expires on"
      type="date"
      isOptional
      size="short"
      defaultValue={expiresAt === null ? '' : expiresAt.toISOString().slice(0, 10)}
      hint="At 00:00 UTC. Leave empty for no expiry."
    />
  )
}
