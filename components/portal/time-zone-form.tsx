'use client'

import { useRef, useSyncExternalStore } from 'react'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SelectField } from '#components/forms/select-field.tsx'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { Button } from '#components/ui/button.tsx'
import { currentZoneName, utc } from '#server/api/contract/time-zones.ts'

const words = (name: string): string => name.replaceAll('_', ' ')

/** Zones by their continent or ocean, as a list of choices: `Europe`, and in it `London`. */
function grouped(zones: readonly string[]) {
  const names = [...new Set(zones.map((zone) => zone.slice(0, zone.indexOf('/'))))]
  return names.map((name) => ({
    name,
    choices: zones.filter((zone) => zone.startsWith(`${name}/`)).map((zone) => ({ value: zone, label: words(zone.slice(name.length + 1)) })),
  }))
}

const never = () => () => undefined
const browserZone = (): string => currentZoneName(new Intl.DateTimeFormat().resolvedOptions().timeZone)

/** Fills in the zone that the browser is in. Without a script there is nothing of it. */
function OwnZone({ zones, chosen, choose }: { zones: readonly string[]; chosen: string; choose: (zone: string) => void }) {
  const own = useSyncExternalStore(never, browserZone, () => null)
  const isKnown = own !== null && zones.includes(own)
  // The room for it is there from the start, so that nothing moves when it comes.
  return (
    <div className="flex min-h-8 items-center noscript:hidden">
      {own === chosen ? <p className="text-note text-ink-2">This browser is in {words(own)}, too.</p> : null}
      {isKnown && own !== chosen ? (
        <Button kind="plain" type="button" onClick={() => choose(own)}>
          Choose {words(own)}, where this browser is
        </Button>
      ) : null}
    </div>
  )
}

type Props = { action: FormAction; chosen: string; zones: readonly string[] }

/** In which time zone times are told. */
export function TimeZoneForm({ action, chosen, zones }: Props) {
  const box = useRef<HTMLSelectElement>(null)
  const choose = (zone: string) => {
    if (box.current) box.current.value = zone
  }
  return (
    <Form action={action} name="times">
      <SelectField
        ref={box}
        name="timeZone"
        label="Time zone"
        hint={`Point at a time, or move to it with the keyboard, to see it ${chosen === utc ? 'where you are' : 'in UTC'}. Days of usage and statements are UTC days, as they are counted and billed. Emails and files are in UTC.`}
        defaultValue={chosen}
        first={{ value: utc, label: 'UTC (default)' }}
        groups={grouped(zones)}
      />
      <OwnZone zones={zones} chosen={chosen} choose={choose} />
      <SubmitButton kind="second">Save time zone</SubmitButton>
    </Form>
  )
}
