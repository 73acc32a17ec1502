import { lazy, type RefObject, Suspense, useDeferredValue, useMemo } from 'react'
import { credits } from '#components/portal/amounts.ts'
import { Button } from '#components/ui/button.tsx'
import { Path } from '#components/ui/phrase.tsx'
import { CodeTabList } from '../code-lines.tsx'
import { Answer } from './answer.tsx'
import { findCursor, readBody } from './answer-body.ts'
import { CallData, type OwnKey } from './call-data.tsx'
import type { CallEndpoint, CallParameter } from './call-endpoint.ts'
import { targetMark } from './call-target.ts'
import type { Failure, ShownAnswer, useCalls } from './calls.ts'

// Loaded for signed-in readers only, because it imports the portal's queries.
const loadOwnKeys = () => import('./own-keys.tsx')
const OwnKeys = lazy(async () => ({ default: (await loadOwnKeys()).OwnKeys }))

/** Refetches the balance in the header. */
export const refreshBalance = async () => (await loadOwnKeys()).refreshBalance()

/** Returns the label of the send button, with the maximum cost. */
function sendLabel(ceiling: number | null): string {
  if (ceiling === null) return 'Send'
  return ceiling === 0 ? 'Send (free)' : `Send (up to ${credits(ceiling)})`
}

type NextPageProps = { shown: ShownAnswer | null; parameters: readonly CallParameter[]; label: string; onNext: (cursor: string) => void }

/** Button that calls again with the cursor of the last response, if a list has more rows. */
function NextPage({ shown, parameters, label, onNext }: NextPageProps) {
  const cursor = useMemo(() => (shown === null ? null : findCursor(readBody(shown.answer.body))), [shown])
  if (cursor === null || !parameters.some(({ name }) => name === 'cursor')) return null
  return (
    <p className="mt-3 shrink-0">
      <Button kind="second" type="button" onClick={({ detail }) => (detail > 1 ? null : onNext(cursor))}>
        {label}
      </Button>
    </p>
  )
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

/** Code of the call in every language. Updates after the form, with low priority, so that typing stays fast. `name` must be unique on the page. */
export function CallCode({ name, tabs, target: next }: Pick<CallEndpoint, 'tabs'> & { name: string; target: string }) {
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
  return <CodeTabList name={name} tabs={filled} />
}

export const requestId = 'request'

type Props = {
  endpoint: CallEndpoint
  target: string
  /** id of the form with the parameters, which the button submits. */
  formId: string
  fields: { readonly isSignedIn: boolean; readonly hasTabKey: boolean }
  chosen: OwnKey | null
  onChoose: (key: OwnKey | null) => void
  /** Maximum cost of the next call; null if it reads sample data. */
  ceiling: number | null
  calls: ReturnType<typeof useCalls>
  example: object | null
  answerBox: RefObject<HTMLDivElement | null>
  onNext: (cursor: string) => void
}

/** Request with the response below it. On wide screens, it also contains the code and stays in view. */
export function CallPanel({ endpoint, target, formId, fields, chosen, onChoose, ceiling, calls, example, answerBox, onNext }: Props) {
  const { shown, isBusy, failure, announcement } = calls
  return (
    <div id={requestId} className="mt-2 min-w-0 scroll-mt-4 xl:row-span-2 xl:mt-0">
      <div className="flex flex-col gap-3 xl:sticky xl:top-4 xl:h-[calc(100dvh-2rem)]">
        <h2 className="sr-only">Request</h2>
        <div className="hidden min-h-10 signed-in:block">
          <Suspense fallback={null}>{fields.isSignedIn ? <OwnKeys chosen={chosen} onChoose={onChoose} /> : null}</Suspense>
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
        {/* On narrow screens, the code is above the parameters. */}
        <div className="call-code shrink-0 max-xl:hidden">
          <CallCode name="request" tabs={endpoint.tabs} target={target} />
        </div>
        <p className="sr-only" aria-live="polite">
          {announcement}
        </p>
        {failure === null ? null : <NoAnswer failure={failure} />}
        <h2 id="response" className="sr-only">
          Response
        </h2>
        <div
          ref={answerBox}
          aria-busy={isBusy}
          className="flex min-h-0 scroll-mt-2 flex-col transition-opacity duration-120 aria-busy:opacity-60 motion-reduce:transition-none"
        >
          <Answer shown={shown} example={example} />
          <NextPage
            shown={shown}
            parameters={endpoint.parameters}
            label={ceiling === null ? 'Next page' : `Next page (up to ${credits(ceiling)})`}
            onNext={onNext}
          />
        </div>
      </div>
    </div>
  )
}
