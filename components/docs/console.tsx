'use client'

import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { credits } from '#components/portal/amounts.ts'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Path } from '#components/ui/phrase.tsx'
import { type CostBounds, creditLimit } from '#server/api/contract/request-bounds.ts'
import type { ConsoleAnswer } from './console-calls.ts'
import { useCalls } from './console-calls.ts'
import { ConsoleField, type ConsoleKey, type ConsoleParameter, DataBanner, KeyChoice } from './console-fields.tsx'
import { ConsoleFailure, ConsoleResult } from './console-result.tsx'
import { consoleTarget } from './console-target.ts'
import { keyPlaceholder, readTestKey } from './test-key.ts'

type Endpoint = {
  readonly slug: string
  readonly href: string
  readonly path: string
  readonly title: string
  readonly cost: string
  readonly bounds: CostBounds
  readonly access: string
  readonly parameters: readonly ConsoleParameter[]
}

type Values = Readonly<Record<string, string>>

type Props = {
  endpoint: Endpoint
  values: Values
  answer: ConsoleAnswer | null
  origin: string
  /** Keys of the signed-in account; null if signed out. */
  keys: readonly ConsoleKey[] | null
}

function readValues(form: HTMLFormElement, parameters: readonly ConsoleParameter[]): Record<string, string> {
  const typed = new FormData(form)
  return Object.fromEntries(parameters.map(({ name }) => [name, String(typed.get(name) ?? '')]))
}

/** Returns the field values, whether the page is hydrated, and whether this tab has a test key. */
function useFields(given: Values, parameters: readonly ConsoleParameter[]) {
  const [values, setValues] = useState(given)
  const [state, setState] = useState({ isReady: false, hasTabKey: false })
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    setState({ isReady: true, hasTabKey: readTestKey() !== null })
    // Text typed before hydration is only in the DOM, so it is copied to the state.
    if (form.current) setValues(readValues(form.current, parameters))
  }, [parameters])
  // A stable callback, so that only the edited field is rendered again.
  const change = useCallback((name: string, value: string) => setValues((before) => ({ ...before, [name]: value })), [])
  return { ...state, form, values, change }
}

function Head({ endpoint, chosen, isOfTab }: { endpoint: Endpoint; chosen: ConsoleKey | null; isOfTab: boolean }) {
  return (
    <>
      <h1 className="text-figure font-semibold tracking-tight">Try it</h1>
      <DataBanner chosen={chosen} isOfTab={isOfTab} />
      <h2 className="mt-8 text-h1 font-semibold text-balance">{endpoint.title}</h2>
      <p className="mt-2 max-w-[68ch] text-pretty text-ink-2">
        {endpoint.access} With a live key: {endpoint.cost}.{' '}
        <a className="prose-link" href={endpoint.href}>
          Reference
        </a>
      </p>
    </>
  )
}

/** Call as it will be sent, including its cost limit if it has one. */
function Target({ target, origin, ceiling }: { target: string; origin: string; ceiling: number | null }) {
  const limit = ceiling === null ? '' : ` \\\n  -H "X-SVC-Max-Credits: ${ceiling}"`
  return (
    <div className="mb-4 flex items-center justify-between gap-3 rounded-panel border border-line bg-sunken px-3 py-2">
      <Path text={`GET /v1${target}`} />
      <CopyButton text={`curl "${origin}/v1${target}" \\\n  -H "Authorization: Bearer ${keyPlaceholder}"${limit}`} what="as curl" />
    </div>
  )
}

/** Returns the label of the send button, with the maximum cost. */
function sendLabel(ceiling: number | null): string {
  if (ceiling === null) return 'Send'
  return ceiling === 0 ? 'Send (free)' : `Send (up to ${credits(ceiling)})`
}

type FormProps = Pick<Props, 'endpoint' | 'keys'> & {
  fields: ReturnType<typeof useFields>
  chosen: ConsoleKey | null
  onChoose: (key: ConsoleKey | null) => void
  ceiling: number | null
  isBusy: boolean
  onSubmit: (event: FormEvent) => void
}

function CallForm({ endpoint, keys, fields, chosen, onChoose, ceiling, isBusy, onSubmit }: FormProps) {
  const { form, values, change, isReady } = fields
  return (
    <form ref={form} action="/console" onSubmit={onSubmit} className="space-y-4 self-start">
      <input type="hidden" name="endpoint" value={endpoint.slug} />
      <input type="hidden" name="send" value="1" />
      {keys === null ? null : <KeyChoice keys={keys} chosen={chosen} isReady={isReady} onChoose={onChoose} />}
      {endpoint.parameters.map((parameter) => (
        <ConsoleField key={parameter.name} parameter={parameter} value={values[parameter.name] ?? ''} onChange={change} />
      ))}
      {endpoint.parameters.length === 0 ? <p className="text-ink-2">This endpoint takes no parameters.</p> : null}
      <Button
        kind="primary"
        type="submit"
        aria-busy={isBusy}
        onClick={(event) => {
          // The second click of a double click would make another charged call.
          if (ceiling !== null && event.detail > 1) event.preventDefault()
        }}
      >
        {sendLabel(ceiling)}
      </Button>
    </form>
  )
}

/** Calls an endpoint from the page. Without JavaScript, submitting reloads the page with a response from sample data. */
export function Console({ endpoint, values: given, answer: first, origin, keys }: Props) {
  const fields = useFields(given, endpoint.parameters)
  const [chosen, setChosen] = useState<ConsoleKey | null>(null)
  const { shown, isBusy, failure, announcement, send } = useCalls(first)
  const target = consoleTarget(endpoint, fields.values)
  const ceiling = chosen?.mode === 'live' ? creditLimit(endpoint.bounds, fields.values['limit'] || undefined) : null
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const filled = Object.fromEntries(Object.entries(fields.values).filter(([, value]) => value !== ''))
    history.replaceState(null, '', `/console?${new URLSearchParams({ endpoint: endpoint.slug, ...filled })}`)
    // Sends the limit shown on the button at the time of the click.
    void send({ target, mode: chosen?.mode ?? 'test', own: chosen === null ? null : { keyId: chosen.id, maxCredits: ceiling ?? 0 } })
  }
  return (
    <div className="min-w-0 grow">
      <Head endpoint={endpoint} chosen={chosen} isOfTab={fields.hasTabKey} />
      <div className="mt-6 grid gap-8 xl:grid-cols-[20rem_minmax(0,1fr)]">
        <CallForm endpoint={endpoint} keys={keys} fields={fields} chosen={chosen} onChoose={setChosen} ceiling={ceiling} isBusy={isBusy} onSubmit={onSubmit} />
        <div className="min-w-0">
          <Target target={target} origin={origin} ceiling={ceiling} />
          <p className="sr-only" aria-live="polite">
            {announcement}
          </p>
          <ConsoleFailure failure={failure} />
          <div aria-busy={isBusy} className="transition-opacity duration-120 aria-busy:opacity-60 motion-reduce:transition-none">
            <ConsoleResult shown={shown} />
          </div>
        </div>
      </div>
    </div>
  )
}
