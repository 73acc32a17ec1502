import { Fragment, type ReactNode } from 'react'
import { JsonBlock } from '#components/data/json-block.tsx'
import { CodeText } from '#components/docs/code.tsx'
import { KeySlots } from '#components/docs/key-slots.tsx'
import { Tag } from '#components/ui/tag.tsx'
import type { ChartRange } from './rate-geometry.ts'
import { RateSparkline } from './rate-steps.tsx'

export type ExampleRow = {
  readonly sourceKey: string
  readonly provider: string
  readonly monogram: { readonly text: string; readonly colour: string; readonly ink: string } | null
  readonly accountName: string
  readonly rate: string
  readonly detail: string
}

export type HomeExampleData = {
  readonly target: string
  readonly cost: string
  readonly body: unknown
  readonly curl: string
  readonly runHref: string
  readonly rows: readonly ExampleRow[]
  readonly chart: {
    readonly name: string
    readonly history: ChartRange
    /** Plan that live keys need for the history; null if any plan is enough. */
    readonly plan: string | null
  } | null
}

/** Accounts with their rates. */
export function RateTable({ rows }: { rows: readonly ExampleRow[] }) {
  return (
    <table className="w-full">
      <caption className="sr-only">Best easy access accounts in the sample data</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Rate, AER</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ sourceKey, provider, monogram, accountName, rate, detail }) => (
          <tr key={sourceKey} className="border-b border-line">
            <th scope="row" className="py-2 text-left font-normal">
              <a className="group flex items-center gap-3" href={`/products/${sourceKey}`}>
                <span
                  aria-hidden="true"
                  className="flex size-8 shrink-0 items-center justify-center rounded-control text-note font-semibold"
                  style={monogram === null ? undefined : { background: monogram.colour, color: monogram.ink }}
                >
                  {monogram?.text}
                </span>
                <span className="min-w-0">
                  <span className="font-medium underline-offset-3 group-hover:underline">{provider}</span>
                  <span className="block text-note text-ink-2">
                    {accountName}
                    <span className="max-sm:sr-only"> · </span>
                    <span className="max-sm:block">{detail}</span>
                  </span>
                </span>
              </a>
            </th>
            <td className="py-2 pl-3 text-right text-h2 font-semibold whitespace-nowrap tabular-nums">
              {rate}% <span className="text-note font-normal text-ink-2">AER</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Result({ rows, chart }: HomeExampleData) {
  return (
    <div className="px-4 pt-1 [&_tr:last-child]:border-b-0">
      <RateTable rows={rows} />
      {chart === null ? null : (
        <div id="example-history" className="flex min-h-16 items-center justify-between gap-4 border-t border-line py-2">
          <p className="font-medium">
            Rate history{chart.plan === null ? null : ` · ${chart.plan}`}
            <span className="block text-note font-normal text-pretty text-ink-2">{chart.name}, 12 months</span>
          </p>
          <RateSparkline history={chart.history} />
        </div>
      )}
    </div>
  )
}

type ExampleTab = { readonly id: string; readonly label: string; readonly content: ReactNode }

/** Tabs made of radio buttons and CSS, so that they work without JavaScript. */
function ExampleTabs({ tabs }: { tabs: readonly ExampleTab[] }) {
  return (
    <fieldset className="code-tabs [--tab-start:1rem]">
      <legend className="sr-only">Show the response as</legend>
      {tabs.map(({ id, label, content }, index) => (
        <Fragment key={id}>
          <input type="radio" name="example" id={`example-${id}`} defaultChecked={index === 0} className="sr-only" />
          <label htmlFor={`example-${id}`}>{label}</label>
          <div>{content}</div>
        </Fragment>
      ))}
    </fieldset>
  )
}

/** Sample call with its response as a table and chart, as JSON and as a curl command. */
export function HomeExample(props: HomeExampleData) {
  const { target, cost, body, curl, runHref } = props
  const [path, search] = (target.split('&fields')[0] ?? '').split('?')
  const tabs = [
    { id: 'result', label: 'Result', content: <Result {...props} /> },
    {
      id: 'json',
      label: 'JSON',
      content: (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        <section className="max-h-120 overflow-y-auto p-4" aria-label="Response as JSON" tabIndex={0}>
          <JsonBlock value={body} />
        </section>
      ),
    },
    {
      id: 'curl',
      label: 'curl',
      content: (
        <div className="pl-1">
          <CodeText code={curl} language="sh" />
        </div>
      ),
    },
  ]
  return (
    <section aria-label="Example call" className="min-w-0 overflow-hidden rounded-panel border border-line bg-surface shadow-float">
      <p className="flex min-h-11 items-center justify-between gap-3 border-b border-line bg-sunken px-4 py-2 font-mono text-note">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
        <code tabIndex={0} className="code-scroll min-w-0 grow whitespace-nowrap">
          <span className="text-ink-2">GET</span> /v1{path}
          {/* On a phone, the query has its own line. */}
          <span className="max-sm:block">?{search}</span>
        </code>
        <Tag tone="good">200</Tag>
      </p>
      <ExampleTabs tabs={tabs} />
      <KeySlots />
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2 border-t border-dashed border-test px-4 py-2.5 text-table text-ink-2">
        <span className="flex min-w-0 items-baseline gap-2">
          <Tag tone="test">Test</Tag>{' '}
          <span>
            Fictional banks. Free. <span className="whitespace-nowrap">Live: {cost}.</span>
          </span>
        </span>
        <a className="prose-link" href={runHref}>
          Run this call
        </a>
      </p>
    </section>
  )
}
