'use client'

import { useRef, useSyncExternalStore } from 'react'
import { Form } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { SelectField } from '#components/forms/select-field.tsx'
import { SubmitButton } from '#components/forms/submit-button.tsx'
import { Button } from '#components/ui/button.tsx'
import { currentZoneName, utc } from '#server/api/contract/time-zones.ts'

const toLabel = (name: string): string => name.replaceAll('_', ' ')

/** Groups zones by continent or ocean: `Europe` contains `London`. */
function grouped(zones: readonly string[]) {
  const names = [...new Set(zones.map((zone) => zone.slice(0, zone.indexOf('/'))))]
  return names.map((name) => ({
    name,
    choices: zones.filter((zone) => zone.startsWith(`${name}/`)).map((zone) => ({ value: zone, label: toLabel(zone.slice(name.length + 1)) })),
  }))
}

const never = () => () => undefined
const browserZone = (): string => currentZoneName(new Intl.DateTimeFormat().resolvedOptions().timeZone)

/** Offers the browser's time zone. Not shown without JavaScript. */
function OwnZone({ zones, chosen, choose }: { zones: readonly string[]; chosen: string; choose: (zone: string) => void }) {
  const own = useSyncExternalStore(never, browserZone, () => null)
  const isKnown = own !== null && zones.includes(own)
  // Space is reserved from the start to avoid layout shift.
  return (
    <div className="flex min-h-8 items-center noscript:hidden">
      {own === chosen ? <p className="text-note text-ink-2">This is your browser's time zone.</p> : null}
      {isKnown && own !== chosen ? (
        <Button kind="plain" type="button" onClick={() => choose(own)}>
          Use browser time zone: {toLabel(own)}
        </Button>
      ) : null}
    </div>
  )
}

type Props = { action: FormAction; chosen: string; zones: readonly string[] }

/** Form for the time zone in which times are shown. */
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
        hint={`Hover over or focus a time to see it ${chosen === utc ? 'in your own time zone' : 'in UTC'}. Usage and statements use UTC days. Emails and files are in UTC.`}
        defaultValue={chosen}
        first={{ value: utc, label: 'UTC (default)' }}
        groups={grouped(zones)}
      />
      <OwnZone zones={zones} chosen={chosen} choose={choose} />
      <SubmitButton kind="second">Save time zone</SubmitButton>
    </Form>
  )
}
