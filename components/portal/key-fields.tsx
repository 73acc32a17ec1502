import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { CheckboxGroup } from '#components/forms/choice-field.tsx'
import { box, edge, TextAreaField, TextField } from '#components/forms/field.tsx'
import { Button } from '#components/ui/button.tsx'
import { Select } from '#components/ui/select.tsx'
import { credits } from './amounts.ts'

export type ScopeLine = { readonly name: string; readonly opens: string }

/** Sets of permissions that many keys need. */
const presets = [
  { name: 'Rates and providers', has: (scope: string) => scope === 'rates:read' || scope === 'providers:read' },
  { name: 'All data', has: (scope: string) => scope.endsWith(':read') },
  { name: 'Clear', has: () => false },
] as const

/** Buttons that choose a set of permissions. */
export function ScopePresets({ scopes, onChoose }: { scopes: readonly ScopeLine[]; onChoose: (chosen: string[]) => void }) {
  const { setValue } = useFormContext()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="mr-1 text-note text-ink-2">Choose permissions:</span>
      {presets.map(({ name, has }) => (
        <Button
          key={name}
          kind="plain"
          type="button"
          onClick={() => {
            const chosen = scopes.map((scope) => scope.name).filter(has)
            setValue('scopes', chosen)
            onChoose(chosen)
          }}
        >
          {name}
        </Button>
      ))}
    </div>
  )
}

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

type CapProps = {
  defaultValue: string
  /** Credits that the key has spent this month; null for a new key. */
  spentCredits?: number | null
}

/** Monthly cap of a live key. */
export function CapField({ defaultValue, spentCredits = null }: CapProps) {
  const spent = spentCredits === null ? '' : `Spent so far this month: ${credits(spentCredits)}. `
  return (
    <TextField
      name="cap"
      label="Monthly cap in credits"
      isOptional
      inputMode="numeric"
      size="short"
      defaultValue={defaultValue}
      hint={`${spent}Calls over the cap are rejected until the month ends (UTC). Leave empty for no cap.`}
    />
  )
}

type LiveProps = { addresses?: readonly string[]; capCredits?: number | null; spentCredits?: number | null }

/** Limits that only live keys have. */
export function LiveKeyFields({ addresses = [], capCredits = null, spentCredits = null }: LiveProps) {
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
      <CapField defaultValue={capCredits === null ? '' : String(capCredits)} spentCredits={spentCredits} />
    </>
  )
}

const dayMs = 86_400_000

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'custom', label: 'On a date' },
] as const

/** Lifetime of a new key, or the day on which it expires. */
export function LifetimeField({ onChoose }: { onChoose: (expires: string) => void }) {
  const { setValue } = useFormContext()
  const [lifetime, setLifetime] = useState('')
  const choose = (value: string) => {
    setLifetime(value)
    const expires = value === '' || value === 'custom' ? '' : new Date(Date.now() + Number(value) * dayMs).toISOString().slice(0, 10)
    setValue('expires', expires)
    onChoose(expires)
  }
  return (
    <>
      <div className="flex max-w-48 flex-col gap-1">
        <label htmlFor="lifetime" className="font-medium">
          Expiry
        </label>
        <Select id="lifetime" value={lifetime} onChange={(event) => choose(event.currentTarget.value)} className={`${box} h-11 font-normal ${edge(false)}`}>
          {lifetimes.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      <div className={lifetime === 'custom' ? '' : 'hidden'}>
        <ExpiryField />
      </div>
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
