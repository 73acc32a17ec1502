import { ChartReader } from '#components/charts/chart-reader.tsx'
import { horizontalSlots } from '#components/charts/scales.ts'
import { periodName } from '#components/charts/time-axis.ts'
import { TableSummary } from '#components/ui/summary-button.tsx'
import { DateTime, Day } from './formats.tsx'
import { Section } from './section.tsx'
import {
  type DayState,
  dayText,
  groupDays,
  type ShownDay,
  shownDays,
  silentSince,
  type UptimeDay,
  uptimePercent,
  uptimePeriods,
  withDaysBefore,
} from './uptime.ts'

/** Style of each state. The states differ in height or pattern as well as in colour. */
const looks: Readonly<Record<DayState, string>> = {
  good: 'h-8 bg-good',
  some: 'h-5 bg-good',
  bad: 'h-8 border border-danger bg-[repeating-linear-gradient(135deg,var(--color-danger)_0_2px,transparent_2px_5px)]',
  none: 'h-3 bg-[repeating-linear-gradient(45deg,var(--color-line-strong)_0_1px,transparent_1px_5px)]',
  before: 'h-8 bg-[repeating-linear-gradient(45deg,var(--color-track)_0_2px,transparent_2px_7px)]',
}

const legend = [
  ['good', 'Operational'],
  ['some', 'Operational, some checks missing'],
  ['bad', 'Some downtime'],
  ['none', 'No data'],
  ['before', 'No data yet'],
] as const satisfies readonly (readonly [DayState, string])[]

const legendHeights: Readonly<Record<DayState, string>> = { good: 'max-h-3.5', some: 'max-h-2', bad: 'max-h-3.5', none: 'max-h-2', before: 'max-h-3.5' }

function Strip({ days }: { days: readonly ShownDay[] }) {
  return (
    <>
      <ChartReader
        name="Uptime by day"
        slots={horizontalSlots(days.length)}
        readings={days.map((day) => ({ title: periodName(day.day, 'UTC'), value: dayText(day) }))}
        className="flex h-8 items-end"
      >
        {groupDays(days).map(({ day, state, count }) => (
          <span key={day} className="relative shrink-0 px-[0.5px] sm:px-px" style={{ width: `${(count / days.length) * 100}%` }}>
            <span className={`block ${looks[state]}`} />
          </span>
        ))}
      </ChartReader>
      <p aria-hidden="true" className="mt-1.5 flex justify-between text-note text-ink-2">
        <span>90 days ago</span> <span>Today</span>
      </p>
      <ul aria-hidden="true" className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-note text-ink-2">
        {legend
          .filter(([state]) => days.some((day) => day.state === state))
          .map(([state, label]) => (
            <li key={state} className="flex items-center gap-2">
              <span className={`w-2 ${looks[state]} ${legendHeights[state]}`} />
              {label}
            </li>
          ))}
      </ul>
    </>
  )
}

/** Uptime percentages. A period longer than the recorded days is left out, except the shortest one that covers them all. */
function Percentages({ days }: { days: readonly ShownDay[] }) {
  const shown = uptimePeriods.filter((_, index) => index === 0 || (uptimePeriods[index - 1]?.days ?? 0) < days.length)
  return (
    <dl className="mb-5 flex flex-wrap gap-x-8 gap-y-4 sm:gap-x-12">
      {shown.map(({ name, days: count }) => (
        <div key={name} className="flex flex-col">
          <dt className="text-note text-ink-2">{name}</dt>
          <dd className="text-h1 font-semibold tracking-tight tabular-nums">{uptimePercent(days, count) ?? 'No data'}</dd>
        </div>
      ))}
    </dl>
  )
}

function Table({ days }: { days: readonly ShownDay[] }) {
  return (
    <details className="mt-4">
      <TableSummary />
      <table className="mt-2 w-full max-w-lg border-t border-line-strong text-table">
        <caption className="sr-only">Checks per UTC day, newest first</caption>
        <thead>
          <tr className="border-b border-line-strong text-left text-ink-2">
            <th scope="col" className="py-2 font-medium">
              Day
            </th>
            <th scope="col" className="py-2 font-medium">
              Checks
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day} className="border-b border-line">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                <Day on={day.day} />
              </th>
              <td className="py-1.5 tabular-nums">{dayText(day)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function Silence({ since }: { since: Date | null | undefined }) {
  if (since === null || since === undefined) return null
  return (
    <p className="mb-4 font-medium text-caution">
      No checks have run since <DateTime at={since.toISOString()} />.
    </p>
  )
}

function Recorded({ days, uptime, now }: { days: readonly ShownDay[]; uptime: readonly UptimeDay[]; now: number }) {
  const shown = withDaysBefore(days, now)
  if (days.length === 0)
    return (
      <div className="rounded-panel border border-line bg-surface p-5">
        <p className="mb-4 text-ink-2">No checks yet. The first one runs within two minutes.</p>
        <Strip days={shown} />
      </div>
    )
  return (
    <div className="rounded-panel border border-line bg-surface p-5">
      <Silence since={silentSince(uptime, now)} />
      <Percentages days={days} />
      <Strip days={shown} />
      <Table days={days} />
    </div>
  )
}

/** Uptime since the first check, at most 90 days. `uptime` is null if the uptime checks can't be loaded. */
export function UptimeStrip({ uptime, now }: { uptime: readonly UptimeDay[] | null; now: number }) {
  const days = shownDays(uptime ?? [], now)
  const [first] = days
  const since = first === undefined ? null : <Day on={first.day} />
  return (
    <Section
      id="days"
      title="Uptime"
      lead={
        <>
          Every minute we check that the database responds and market data is loaded. Days are in UTC.
          {since === null ? null : <> Checks began on {since}.</>}
        </>
      }
    >
      {uptime === null ? <p>Uptime history is not available right now.</p> : <Recorded days={days} uptime={uptime} now={now} />}
    </Section>
  )
}
