'use client'

import { type FormEvent, type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { hasSignedInMark } from '#components/site/signed-in-mark.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import { creditLimit } from '#server/api/contract/request-bounds.ts'
import { readTestKey } from '../test-key.ts'
import { findFault } from './answer-body.ts'
import type { OwnKey } from './call-data.tsx'
import type { CallEndpoint, CallParameter } from './call-endpoint.ts'
import { CallCode, CallPanel, refreshBalance, requestId } from './call-panel.tsx'
import { callTarget, type Values } from './call-target.ts'
import { type CallAnswer, useCalls } from './calls.ts'
import { ParameterField } from './parameter-fields.tsx'

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

/** Link to the request, which is below all parameters on narrow screens. Sticks to the bottom of the screen until the request is in view. */
function TryBar({ isTest }: { isTest: boolean }) {
  const [isReached, setReached] = useState(false)
  useEffect(() => {
    const request = document.getElementById(requestId)
    if (request === null) return
    const observer = new IntersectionObserver(([entry]) => setReached(entry?.isIntersecting ?? false))
    observer.observe(request)
    return () => observer.disconnect()
  }, [])
  return (
    <p
      className={`try-bar sticky bottom-0 z-10 -mx-4 mt-6 border-t border-line bg-canvas px-4 py-3 sm:-mx-6 sm:px-6 xl:hidden print:hidden ${isReached ? 'invisible' : ''}`}
    >
      <ButtonLink kind="primary" size="wide" href={`#${requestId}`}>
        Try it{isTest ? ' with test data' : ''}
      </ButtonLink>
    </p>
  )
}

const formId = 'call'

type Props = {
  endpoint: CallEndpoint
  values: Values
  /** Server-rendered response to a call that the browser sent without JavaScript. */
  answer: CallAnswer | null
  /** Body of an example response. */
  example: object | null
  /** Purpose, path and cost of the endpoint. */
  head: ReactNode
  /** Documentation of the response. */
  children: ReactNode
}

/** Reference of an endpoint that can be called: its parameters are the fields of a form, and the response appears next to them. */
export function OperationCall({ endpoint, values: given, answer: first, example, head, children }: Props) {
  const { parameters } = endpoint
  const fields = useFields(given, parameters)
  const [chosen, setChosen] = useState<OwnKey | null>(null)
  const calls = useCalls(first, given)
  const { shown, send } = calls
  const answerBox = useRef<HTMLDivElement>(null)
  const target = callTarget(endpoint, fields.values)
  const ceiling = chosen?.mode === 'live' ? creditLimit(endpoint.bounds, fields.values['limit'] || undefined) : null
  const fault = useMemo(() => (shown === null ? null : findFault(shown, parameters)), [shown, parameters])

  const run = async (values: Values) => {
    const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
    history.replaceState(null, '', `${endpoint.href}?${new URLSearchParams(filled)}`)
    // Sends the limit shown on the button at the time of the click.
    const own = chosen === null ? null : { keyId: chosen.id, maxCredits: ceiling ?? 0 }
    const received = await send({ target: callTarget(endpoint, values), mode: chosen?.mode ?? 'test', values, own })
    if (received === null) return
    if (chosen?.mode === 'live') await refreshBalance()
    const wrong = findFault(received, parameters)
    if (wrong !== null) document.getElementById(`field-${wrong.name}`)?.focus()
    else if (innerWidth < 1280) answerBox.current?.scrollIntoView({ block: 'start' })
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void run(fields.values)
  }
  const onNext = (cursor: string) => {
    fields.change('cursor', cursor)
    void run({ ...fields.values, cursor })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) fields.form.current?.requestSubmit()
  }

  return (
    <article onKeyDown={onKeyDown} className="min-w-0 grow gap-10 xl:grid xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] xl:grid-rows-[auto_1fr]">
      <div>
        {head}
        <div className="call-code mt-6 xl:hidden">
          <CallCode name="example" tabs={endpoint.tabs} target={target} />
        </div>
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
        <TryBar isTest={chosen?.mode !== 'live'} />
      </div>
      <CallPanel
        endpoint={endpoint}
        target={target}
        formId={formId}
        fields={fields}
        chosen={chosen}
        onChoose={setChosen}
        ceiling={ceiling}
        calls={calls}
        example={example}
        answerBox={answerBox}
        onNext={onNext}
      />
      <div className="min-w-0">{children}</div>
    </article>
  )
}
