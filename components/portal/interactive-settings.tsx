'use client'

import { useActionState, useRef, useSyncExternalStore } from 'react'
import { SelectField } from '#components/forms/choice-field.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Form, FormFrame, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { currentZoneName, utc } from '#server/api/contract/time-zones.ts'
import { noFactorYet, type SecondFactorAction, type SecondFactorState } from './secret-form-states.ts'
import { CodeField } from './settings-parts.tsx'

type SecondFactorProps = { action: SecondFactorAction; isOn: boolean; codesLeft: number }

function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <section aria-labelledby="codes" className="rounded-panel border-2 border-accent bg-accent-wash p-4">
      <h3 id="codes" className="font-semibold">
        Recovery codes
      </h3>
      <p className="mt-1 text-pretty">
        If you lose your phone, sign in with one of these codes. Each works once. Save them somewhere safe: you won't see them again.
      </p>
      <ul className="my-3 grid gap-y-1 font-mono text-table">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join('\n')} what="recovery codes" />
    </section>
  )
}

function SetUp({ setup }: { setup: NonNullable<SecondFactorState['setup']> }) {
  return (
    <>
      <input type="hidden" name="step" value="confirm" />
      <p>Scan the QR code with your authenticator app, or enter the secret.</p>
      {/* biome-ignore lint/performance/noImgElement: an inline data URL */}
      <img src={setup.picture} alt="QR code for two-factor sign-in" className="size-44 rounded-control border border-line" />
      <p className="flex flex-wrap items-center justify-between gap-2">
        <code className="font-mono text-table wrap-anywhere select-all">{setup.secret.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton text={setup.secret} what="secret" />
      </p>
      <TextField name="code" label="6-digit code" autoComplete="one-time-code" inputMode="numeric" size="short" isCode />
      <SubmitButton>Turn on</SubmitButton>
    </>
  )
}

/** Form that turns two-factor sign-in on (in two steps) or off, and regenerates recovery codes. */
export function SecondFactorForm({ action, isOn, codesLeft }: SecondFactorProps) {
  const [state, send] = useActionState(action, noFactorYet)
  if (state.codes !== null)
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="good">Two-factor sign-in is on.</Notice>
        <Codes codes={state.codes} />
      </div>
    )
  return (
    <FormFrame state={state} send={send} name="factor">
      {state.setup === null ? (
        <>
          <p className="text-pretty">
            {isOn
              ? `On. ${codesLeft} recovery ${codesLeft === 1 ? 'code' : 'codes'} left.`
              : 'Off. Turn it on to require a code from an authenticator app at sign-in.'}
          </p>
          {isOn ? <CodeField /> : null}
          <div className="flex flex-wrap gap-3">
            {isOn ? (
              <>
                <SubmitButton kind="second" name="step" value="renew">
                  Regenerate recovery codes
                </SubmitButton>
                <SubmitButton kind="danger" name="step" value="off">
                  Turn off
                </SubmitButton>
              </>
            ) : (
              <SubmitButton kind="second" name="step" value="begin">
                Set up two-factor sign-in
              </SubmitButton>
            )}
          </div>
        </>
      ) : (
        <SetUp setup={state.setup} />
      )}
    </FormFrame>
  )
}

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

type TimeZoneProps = { action: FormAction; chosen: string; zones: readonly string[] }

/** Form for the time zone in which times are shown. */
export function TimeZoneForm({ action, chosen, zones }: TimeZoneProps) {
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
