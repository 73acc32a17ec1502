import { DataTable } from '#components/data/data-table.tsx'
import { ago } from '#components/data/dates.ts'
import { Time } from '#components/data/time.tsx'
import { number } from '#components/portal/amounts.ts'
import { Fact } from '#components/portal/fact.tsx'
import { took } from '#components/portal/took.ts'
import { AdminSection } from '../admin-title.tsx'

type Line = { readonly at: Date; readonly requests: number; readonly refused: number; readonly failed: number }
type Latency = { readonly p50Ms: number | null; readonly p95Ms: number | null }

export type ShownTraffic = {
  readonly asOf: Date | null
  readonly minutes: readonly Line[]
  readonly hours: readonly Line[]
  readonly hour: Latency
  readonly day: Latency
}

const sum = (lines: readonly Line[], part: 'requests' | 'refused' | 'failed') => lines.reduce((all, line) => all + line[part], 0)
const summary = (lines: readonly Line[]) =>
  `${number(sum(lines, 'requests'))} requests, ${number(sum(lines, 'refused'))} refused, ${number(sum(lines, 'failed'))} failed`
const speed = ({ p50Ms, p95Ms }: Latency) => (p50Ms === null ? 'No requests.' : `p50 ${took(p50Ms)}, p95 ${took(p95Ms)}.`)

function Lines({ caption, lines, look }: { caption: string; lines: readonly Line[]; look: 'hour' | 'row' }) {
  return (
    <details className="mt-3">
      <summary className="cursor-pointer font-medium">{caption}</summary>
      {lines.length === 0 ? (
        <p className="mt-2">No requests.</p>
      ) : (
        <DataTable
          caption={caption}
          rows={lines}
          rowKey={({ at }) => at.toISOString()}
          columns={[
            { name: 'From', isHead: true, cell: ({ at }) => <Time at={at} look={look} /> },
            { name: 'Requests', isNumber: true, cell: ({ requests }) => number(requests) },
            { name: 'Refused (4xx)', isNumber: true, cell: ({ refused }) => number(refused) },
            { name: 'Failed (5xx)', isNumber: true, cell: ({ failed }) => number(failed) },
          ]}
        />
      )}
    </details>
  )
}

/** Recent requests, errors and latency. */
export function TrafficSection({ traffic, now }: { traffic: ShownTraffic; now: Date }) {
  const { asOf, minutes, hours, hour, day } = traffic
  return (
    <AdminSection id="traffic" title="Requests">
      <dl className="border-t border-line">
        <Fact name="Last hour">
          {summary(minutes)}. {speed(hour)}
        </Fact>
        <Fact name="Last 24 hours">
          {summary(hours)}. {speed(day)}
        </Fact>
        <Fact name="Counted up to">
          {asOf === null ? (
            'No data yet.'
          ) : (
            <>
              <Time at={asOf} look="second" isStop />, {ago(asOf, now)}
            </>
          )}
        </Fact>
      </dl>
      <Lines caption="By minute" lines={minutes} look="hour" />
      <Lines caption="By hour" lines={hours} look="row" />
    </AdminSection>
  )
}
