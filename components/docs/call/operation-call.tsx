'use client'

import { type FormEvent, type KeyboardEvent, lazy, type ReactNode, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { credits } from '#components/portal/amounts.ts'
import { hasSignedInMark } from '#components/site/signed-in-mark.ts'
import { Button } from '#components/ui/button.tsx'
import { Path } from '#components/ui/phrase.tsx'
import { creditLimit } from '#server/api/contract/request-bounds.ts'
import { CodeTabList } from '../code-lines.tsx'
import { readTestKey } from '../test-key.ts'
import { Answer, readBody } from './answer.tsx'
import { CallData, type OwnKey } from './call-data.tsx'
import { type CallEndpoint, type CallParameter, faultyParameter } from './call-endpoint.ts'
import { callTarget, targetMark, type Values } from './call-target.ts'
import { type CallAnswer, type Failure, type ShownAnswer, useCalls } from './calls.ts'
import { ParameterField } from './parameter-fields.tsx'

// Loaded for signed-in readers only, because it brings the portal's queries.
const loadOwnKeys = () => import('./own-keys.tsx')
const OwnKeys = lazy(async () => ({ default: (await loadOwnKeys()).OwnKeys }))

function readValues(form: HTMLFormElement, parameters: readonly CallParameter[]): Record<string, string> {
  const typed = new FormData(form)
  return Object.fromEntries(parameters.map(({ name }) => [name, String(typed.get(name) ?? '')]))
}

/** Returns the field values, whether the reader is signed in, and whether this tab has a test key. */
function useFields(given: Values, parameters: readonly CallParameter[]) {
  const [values, setValues] = useState(given)
  const [state, setState] = useState({ isSignedIn: false, hasTabKey: false })
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    setState({ isSignedIn: hasSignedInMark(document.cookie), hasTabKey: readTestKey() !== null })
    // Text typed before hydration is only in the DOM, so it is copied to the state.
    if (form.current) setValues(readValues(form.current, parameters))
  }, [parameters])
  // A stable callback, so that only the edited field is rendered again.
  const change = useCallback((name: string, value: string) => setValues((before) => ({ ...before, [name]: value })), [])
  return { ...state, form, values, change }
}

type FieldFault = { readonly name: string; readonly message: string }

/** Returns the parameter that the API rejected, and the reason; null if the response is not about a parameter. */
function findFault({ answer }: ShownAnswer, parameters: readonly CallParameter[]): FieldFault | null {
  if (answer.status !== 400 && answer.status !== 404) return null
  const body = readBody(answer.body)
  const message = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : ''
  const names = parameters.filter((one) => answer.status === 400 || one.in === 'path').map(({ name }) => name)
  const name = faultyParameter(message, names)
  return name === null ? null : { name, message }
}

/** Returns the label of the send button, with the maximum cost. */
function sendLabel(ceiling: number | null): string {
  if (ceiling === null) return 'Send'
  return ceiling === 0 ? 'Send (free)' : `Send (up to ${credits(ceiling)})`
}

/** Error message if the last call got no response. */
function NoAnswer({ failure: { message, maxCredits } }: { failure: Failure }) {
  return (
    <p role="alert" className="rounded-panel border border-danger bg-danger-wash px-4 py-3 text-danger">
      {message}
      {maxCredits === 0 ? null : (
        <>
          {' '}
          If the call was processed, it cost at most {credits(maxCredits)}.{' '}
          <a className="underline underline-offset-4" href="/portal/requests">
            View requests
          </a>
        </>
      )}
    </p>
  )
}

/** Code of the call in every language. Follows the form with low priority, so that typing stays fast. */
function CallCode({ tabs, target: next }: Pick<CallEndpoint, 'tabs'> & { target: string }) {
  const target = useDeferredValue(next)
  const filled = useMemo(
    () =>
      tabs.map((tab) => ({
        ...tab,
        code: tab.code.replace(targetMark, target),
        lines: tab.lines.map((line) =>
          line.some(({ text }) => text.includes(targetMark)) ? line.map((piece) => ({ ...piece, text: piece.text.replace(targetMark, target) })) : line,
        ),
      })),
    [tabs, target],
  )
  return <CodeTabList name="request" tabs={filled} />
}

const formId = 'call'

type Props = {
  endpoint: CallEndpoint
  values: Values
  /** Response that the server rendered, to a call that the browser sent without JavaScript. */
  answer: CallAnswer | null
  /** Body of an example response. */
  example: object | null
  /** What the call is for. */
  head: ReactNode
  /** Documentation of the response. */
  children: ReactNode
}

/** Reference of an endpoint that can be called: its parameters are the fields of a form, and the response appears next to them. */
export function OperationCall({ endpoint, values: given, answer: first, example, head, children }: Props) {
  const { parameters } = endpoint
  const fields = useFields(given, parameters)
  const [chosen, setChosen] = useState<OwnKey | null>(null)
  const { shown, isBusy, failure, announcement, send } = useCalls(first, given)
  const panel = useRef<HTMLDivElement>(null)
  const target = callTarget(endpoint, fields.values)
  const ceiling = chosen?.mode === 'live' ? creditLimit(endpoint.bounds, fields.values['limit'] || undefined) : null
  const fault = useMemo(() => (shown === null ? null : findFault(shown, parameters)), [shown, parameters])

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const { values } = fields
    const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
    history.replaceState(null, '', `${endpoint.href}?${new URLSearchParams(filled)}`)
    // Sends the limit shown on the button at the time of the click.
    const own = chosen === null ? null : { keyId: chosen.id, maxCredits: ceiling ?? 0 }
    const received = await send({ target, mode: chosen?.mode ?? 'test', values, own })
    if (received === null) return
    if (chosen?.mode === 'live') (await loadOwnKeys()).refreshBalance()
    const wrong = findFault(received, parameters)
    if (wrong !== null) document.getElementById(`field-${wrong.name}`)?.focus()
    else if (innerWidth < 1280) panel.current?.scrollIntoView({ block: 'start' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) fields.form.current?.requestSubmit()
  }

  return (
    <article onKeyDown={onKeyDown} className="min-w-0 grow gap-10 xl:grid xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:grid-rows-[auto_1fr]">
      <div>
        {head}
        <form ref={fields.form} id={formId} action={endpoint.href} onSubmit={onSubmit} className="mt-8">
          <input type="hidden" name="send" value="1" />
          <h2 id="parameters" className="border-b border-line-strong pb-2 text-h2 font-semibold">
            Parameters
          </h2>
          {parameters.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={fields.values[parameter.name] ?? ''}
              fault={fault?.name === parameter.name && shown?.values[parameter.name] === fields.values[parameter.name] ? fault.message : null}
              hasField
              onChange={fields.change}
            />
          ))}
          {parameters.length === 0 ? <p className="mt-3 text-ink-2">None.</p> : null}
        </form>
      </div>
      <div className="mt-8 min-w-0 xl:row-span-2 xl:mt-0">
        <div className="flex flex-col gap-3 xl:sticky xl:top-4 xl:h-[calc(100dvh-2rem)]">
          <h2 id="request" className="sr-only">
            Request
          </h2>
          <div className="hidden min-h-10 signed-in:block">
            <Suspense fallback={null}>{fields.isSignedIn ? <OwnKeys chosen={chosen} onChoose={setChosen} /> : null}</Suspense>
          </div>
          <CallData chosen={chosen} isOfTab={fields.hasTabKey} />
          <div className="flex items-center justify-between gap-3 rounded-panel border border-line bg-surface py-1.5 pr-1.5 pl-3 shadow-panel">
            <Path text={`GET /v1${target}`} />
            <Button
              kind="primary"
              type="submit"
              form={formId}
              aria-busy={isBusy}
              onClick={(event) => {
                // The second click of a double click would make another charged call.
                if (ceiling !== null && event.detail > 1) event.preventDefault()
              }}
            >
              {sendLabel(ceiling)}
            </Button>
          </div>
          <div className="call-code shrink-0">
            <CallCode tabs={endpoint.tabs} target={target} />
          </div>
          <p className="sr-only" aria-live="polite">
            {announcement}
          </p>
          {failure === null ? null : <NoAnswer failure={failure} />}
          <h2 id="response" className="sr-only">
            Response
          </h2>
          <div
            ref={panel}
            aria-busy={isBusy}
            className="flex min-h-0 scroll-mt-2 flex-col transition-opacity duration-120 aria-busy:opacity-60 motion-reduce:transition-none"
          >
            <Answer shown={shown} example={example} />
          </div>
        </div>
      </div>
      <div className="min-w-0">{children}</div>
    </article>
  )
}
