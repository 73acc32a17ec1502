'use client'

import { useSyncExternalStore } from 'react'
import { useFormContext } from 'react-hook-form'
import { SelectField } from '#components/forms/choice-field.tsx'
import { TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button } from '#components/ui/button.tsx'
import { currentZoneName, utc } from '#server/api/contract/time-zones.ts'

/** Form for the name of the account. */
export function NameForm({ name }: { name: string }) {
  return (
    <MutationForm mutation={useTRPC().profile.rename.mutationOptions()} name="profile" onDone={() => 'Saved.'}>
      <TextField
        name="name"
        label="Name"
        hint="You or your company. Shown in the portal and in /me."
        isOptional
        autoComplete="organization"
        defaultValue={name}
      />
      <SubmitButton kind="second">Save name</SubmitButton>
    </MutationForm>
  )
}

/** Time zone and its current offset from UTC, such as `GMT+1`. */
export type Zone = { readonly name: string; readonly offset: string }

const toLabel = (name: string): string => name.replaceAll('_', ' ')

/** Groups zones by continent or ocean: `Europe` contains `London (GMT)`. */
function grouped(zones: readonly Zone[]) {
  const names = [...new Set(zones.map(({ name }) => name.slice(0, name.indexOf('/'))))]
  const toChoice = ({ name, offset }: Zone) => ({ value: name, label: `${toLabel(name.slice(name.indexOf('/') + 1))} (${offset})` })
  return names.map((name) => ({ name, choices: zones.filter((zone) => zone.name.startsWith(`${name}/`)).map(toChoice) }))
}

const never = () => () => undefined
const browserZone = (): string => currentZoneName(new Intl.DateTimeFormat().resolvedOptions().timeZone)

/** Offers the browser's time zone. */
function OwnZone({ zones, chosen }: { zones: readonly Zone[]; chosen: string }) {
  const { setValue } = useFormContext()
  const own = useSyncExternalStore(never, browserZone, () => null)
  const isKnown = own !== null && zones.some(({ name }) => name === own)
  // Space is reserved from the start to avoid layout shift.
  return (
    <div className="flex min-h-8 items-center noscript:hidden">
      {own === chosen ? <p className="text-note text-ink-2">This is your browser's time zone.</p> : null}
      {isKnown && own !== chosen ? (
        <Button kind="plain" type="button" onClick={() => setValue('timeZone', own)}>
          Use browser time zone: {toLabel(own)}
        </Button>
      ) : null}
    </div>
  )
}

/** Form for the time zone in which times are shown. Reloads the page afterwards, because it shows times everywhere. */
export function TimeZoneForm({ chosen, zones }: { chosen: string; zones: readonly Zone[] }) {
  return (
    <MutationForm mutation={useTRPC().profile.setTimeZone.mutationOptions()} name="times" onDone={() => goTo('/portal/settings?done=time-zone')}>
      <div className="flex flex-col gap-1.5">
        <SelectField
          name="timeZone"
          label="Time zone"
          hint="Used for times in the portal. Usage and statements are by UTC day, and times in emails and downloads are in UTC."
          defaultValue={chosen}
          first={{ value: utc, label: 'UTC' }}
          groups={grouped(zones)}
        />
        <OwnZone zones={zones} chosen={chosen} />
      </div>
      <SubmitButton kind="second">Save time zone</SubmitButton>
    </MutationForm>
  )
}
