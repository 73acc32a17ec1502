import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import { credits, number } from '#components/portal/amounts.ts'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { readBody } from './answer-body.ts'
import { AnswerTable, toRows } from './answer-table.tsx'
import { type CallAnswer, headerNamed, type ShownAnswer } from './calls.ts'
import { JsonTree } from './json-tree.tsx'

const tone = (status: number) => (status < 300 ? 'good' : status < 500 ? 'caution' : 'danger')

function Facts({ shown: { answer, mode } }: { shown: ShownAnswer }) {
  const balance = mode === 'live' ? headerNamed(answer, 'x-svc-credits-balance') : null
  return (
    <>
      {mode === 'live' ? <Tag tone="good">Live</Tag> : <Tag tone="test">Test</Tag>}
      <span>
        <span className="sr-only">Status </span>
        <Tag tone={tone(answer.status)}>{answer.status}</Tag>
      </span>
      <span>
        <span className="text-ink-2">Time</span> {answer.tookMs} ms
      </span>
      <span>
        <span className="text-ink-2">Cost</span> {credits(Number(headerNamed(answer, 'x-svc-credits-charged') ?? 0))}
      </span>
      {balance === null ? null : (
        <span>
          <span className="text-ink-2">Balance</span> {number(Number(balance))}
        </span>
      )}
    </>
  )
}

function Headers({ answer }: { answer: CallAnswer }) {
  return (
    <dl className="grid gap-x-4 p-3 font-mono text-note/5 sm:grid-cols-[auto_minmax(0,1fr)]">
      {answer.headers.map(([name, value]) => (
        <div key={`${name} ${value}`} className="contents">
          <dt className="text-ink-2 max-sm:mt-1">{name.toLowerCase()}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Link to the documentation of an error, and the time to wait after too many calls. */
function Fault({ answer, body }: { answer: CallAnswer; body: unknown }) {
  const code = answer.status >= 400 && typeof body === 'object' && body !== null && 'error' in body ? body.error : null
  const retryAfter = answer.status === 429 ? headerNamed(answer, 'retry-after') : null
  if (typeof code !== 'string') return null
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 border-b border-line bg-caution-wash px-3 py-2 text-note text-caution">
      {retryAfter === null ? null : <span>Rate limit exceeded. Try again in {retryAfter} seconds.</span>}
      <a className="underline underline-offset-3" href={`/docs/errors/${encodeURIComponent(code)}`}>
        About {code}
      </a>
    </p>
  )
}

/** Status, time and cost of a response, and the documentation of its error. */
function Summary({ shown, body }: { shown: ShownAnswer; body: unknown }) {
  return (
    <>
      <p
        className={`flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b px-3 py-2 text-note tabular-nums ${shown.mode === 'live' ? 'border-line' : 'border-dashed border-test'}`}
      >
        <Facts shown={shown} />
      </p>
      <Fault answer={shown.answer} body={body} />
    </>
  )
}

const views = { body: 'Body', table: 'Table', headers: 'Headers' } as const
type View = keyof typeof views

/** Classes of a tab, which looks like the tabs of the code samples. */
const tab =
  'min-h-11 cursor-pointer border-b-2 border-transparent px-3 text-note text-ink-2 hover:text-ink aria-pressed:border-accent aria-pressed:font-medium aria-pressed:text-ink noscript:hidden'

/** Returns all collapsible nodes below the top two levels. */
const getNodes = (pane: HTMLElement) => [...pane.querySelectorAll<HTMLDetailsElement>('details details details')]

function isFolded(pane: HTMLElement): boolean {
  const nodes = getNodes(pane)
  return nodes.length > 0 && nodes.every(({ open }) => !open)
}

/** Button that collapses the body, or expands it if all of it is collapsed. Its label also changes when the reader collapses or expands parts of the body. */
function FoldButton({ pane }: { pane: RefObject<HTMLElement | null> }) {
  const [isAllFolded, setAllFolded] = useState(false)
  useEffect(() => {
    const { current } = pane
    // The event doesn't bubble.
    const onToggle = () => current && setAllFolded(isFolded(current))
    current?.addEventListener('toggle', onToggle, true)
    return () => current?.removeEventListener('toggle', onToggle, true)
  }, [pane])
  const toggle = () => {
    if (pane.current) for (const node of getNodes(pane.current)) node.open = isAllFolded
  }
  return (
    <button
      type="button"
      onClick={toggle}
      className="min-h-7 cursor-pointer rounded-control px-2 text-note text-ink-2 hover:bg-hover hover:text-ink max-sm:hidden noscript:hidden"
    >
      {isAllFolded ? 'Expand all' : 'Collapse all'}
    </button>
  )
}

type Props = {
  /** Response to the last call; null before the first call. */
  shown: ShownAnswer | null
  /** Body of an example response, shown before the first call. */
  example: object | null
}

/** Response with its status, time and cost, as collapsible JSON, as a table, and with its headers. The content scrolls under the bar with the status. */
export const Answer = memo(function Answer({ shown, example }: Props) {
  const [chosen, setView] = useState<View>('body')
  const pane = useRef<HTMLElement>(null)
  const body = shown === null ? example : readBody(shown.answer.body)
  if (body === null) {
    return <p className="rounded-panel border border-dashed border-line-strong px-4 py-10 text-center text-ink-2">The response will appear here.</p>
  }
  const rows = toRows(body)
  const available = { body: true, table: rows !== null, headers: shown !== null }
  const view = available[chosen] ? chosen : 'body'
  return (
    <section aria-label="Response" className="flex max-h-[70dvh] min-h-0 flex-col rounded-panel border border-line bg-surface shadow-panel xl:max-h-none">
      {shown === null ? null : <Summary shown={shown} body={body} />}
      <div className={`flex items-center border-b pr-1.5 ${shown === null ? 'border-dashed border-test' : 'border-line noscript:hidden'}`}>
        {shown === null ? <p className="py-3 pr-2 pl-3 text-note">Example response</p> : null}
        {(['body', 'table', 'headers'] as const)
          .filter((one) => available[one])
          .map((one) => (
            <button key={one} type="button" aria-pressed={view === one} onClick={() => setView(one)} className={tab}>
              {views[one]}
            </button>
          ))}
        <span className="grow" />
        {view === 'body' ? <FoldButton pane={pane} /> : null}
        <CopyButton text={JSON.stringify(body, null, 2)} what="response" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section ref={pane} aria-label={views[view]} tabIndex={0} className="min-h-0 overflow-auto rounded-b-panel print:max-h-none">
        {view === 'body' ? (
          <div className="p-3 pl-7 font-mono text-note/5 wrap-anywhere whitespace-pre-wrap">
            <JsonTree value={body} />
          </div>
        ) : null}
        {view === 'table' && rows !== null ? <AnswerTable rows={rows} /> : null}
        {view === 'headers' && shown !== null ? <Headers answer={shown.answer} /> : null}
      </section>
    </section>
  )
})
