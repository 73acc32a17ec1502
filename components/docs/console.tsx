'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Tag } from '../ui/tag.tsx'
import { Path } from '../ui/words.tsx'
import { type ConsoleAnswer, callFromConsole } from './console-call.ts'
import { ConsoleField, type ConsoleParameter } from './console-field.tsx'
import { ConsoleResult } from './console-result.tsx'
import { consoleTarget } from './console-target.ts'
import { keyPlaceholder, readTestKey } from './test-key.ts'

type Endpoint = {
  readonly slug: string
  readonly href: string
  readonly path: string
  readonly title: string
  readonly cost: string
  readonly access: string
  readonly parameters: readonly ConsoleParameter[]
}

type Props = { endpoint: Endpoint; values: Readonly<Record<string, string>>; answer: ConsoleAnswer | null; origin: string }

type State = { readonly answer: ConsoleAnswer | null; readonly isBusy: boolean; readonly said: string; readonly isFailed: boolean }

/** Sends calls and keeps the last answer; what was answered stays while the next call is under way. */
function useCalls(first: ConsoleAnswer | null) {
  const [state, setState] = useState<State>({ answer: first, isBusy: false, said: '', isFailed: false })
  const send = async (target: string) => {
    setState((before) => ({ ...before, isBusy: true, said: '', isFailed: false }))
    try {
      const answer = await callFromConsole(target)
      setState({ answer, isBusy: false, said: `Answered ${answer.status} in ${answer.tookMs} ms`, isFailed: false })
    } catch {
      // Offline, or the service is being restarted: there is nothing to show but that.
      setState((before) => ({ ...before, isBusy: false, isFailed: true }))
    }
  }
  return { ...state, send }
}

function valuesOf(form: HTMLFormElement, parameters: readonly ConsoleParameter[]): Record<string, string> {
  const typed = new FormData(form)
  return Object.fromEntries(parameters.map(({ name }) => [name, String(typed.get(name) ?? '')]))
}

function Head({ endpoint, hasKey }: { endpoint: Endpoint; hasKey: boolean }) {
  return (
    <>
      <h1 className="text-figure font-semibold tracking-tight">Try it</h1>
      <p className="mt-4 flex flex-wrap items-center gap-2 rounded-panel border border-dashed border-test bg-test-wash px-4 py-2.5 text-test">
        <Tag tone="test">Test</Tag>
        {hasKey ? 'Sample data, with the test key of this tab. Free.' : 'Sample data. Banks here are fictional. Free.'}
      </p>
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

/** Calls an endpoint from the page. Without a script the form asks for the page anew, with the answer in it. */
export function Console({ endpoint, values: given, answer: first, origin }: Props) {
  const [values, setValues] = useState(given)
  const [hasKey, setHasKey] = useState(false)
  const { answer, isBusy, isFailed, said, send } = useCalls(first)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    setHasKey(readTestKey() !== null)
    // What was typed before the script had come is in the fields only.
    if (form.current) setValues(valuesOf(form.current, endpoint.parameters))
  }, [endpoint.parameters])
  const target = consoleTarget(endpoint, values)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    history.replaceState(
      null,
      '',
      `/console?${new URLSearchParams({ endpoint: endpoint.slug, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) })}`,
    )
    void send(target)
  }
  return (
    <div className="min-w-0 grow">
      <Head endpoint={endpoint} hasKey={hasKey} />
      <div className="mt-6 grid gap-8 xl:grid-cols-[20rem_minmax(0,1fr)]">
        <form ref={form} action="/console" onSubmit={onSubmit} className="space-y-4 self-start">
          <input type="hidden" name="endpoint" value={endpoint.slug} />
          <input type="hidden" name="send" value="1" />
          {endpoint.parameters.map((parameter) => (
            <ConsoleField
              key={parameter.name}
              parameter={parameter}
              value={values[parameter.name] ?? ''}
              onChange={(value) => setValues((before) => ({ ...before, [parameter.name]: value }))}
            />
          ))}
          {endpoint.parameters.length === 0 ? <p className="text-ink-2">This endpoint takes no parameters.</p> : null}
          <Button kind="primary" type="submit" aria-busy={isBusy}>
            Send
          </Button>
        </form>
        <div className="min-w-0">
          <div className="mb-4 flex items-center justify-between gap-3 rounded-panel border border-line bg-sunken px-3 py-2">
            <Path text={`GET /v1${target}`} />
            <CopyButton text={`curl "${origin}/v1${target}" \\\n  -H "Authorization: Bearer ${keyPlaceholder}"`} what="as curl" />
          </div>
          <p className="sr-only" aria-live="polite">
            {said}
          </p>
          {isFailed ? (
            <p role="alert" className="mb-4 rounded-panel border border-danger bg-danger-wash px-4 py-3 text-danger">
              We could not reach the service. Nothing was charged. Send the call again.
            </p>
          ) : null}
          <div aria-busy={isBusy} className="transition-opacity duration-120 aria-busy:opacity-60 motion-reduce:transition-none">
            <ConsoleResult answer={answer} />
          </div>
        </div>
      </div>
    </div>
  )
}
