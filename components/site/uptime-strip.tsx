import { DateTime, Day } from './formats.tsx'
import { Section } from './section.tsx'
import { type DayState, dayText, type ShownDay, shownDays, silentSince, summarise, type UptimeDay } from './uptime.ts'

/** Style of each state. */
const looks: Readonly<Record<DayState, string>> = {
  good: 'h-8 bg-good',
  some: 'h-5 bg-good',
  bad: 'h-8 bg-danger',
  none: 'h-1 bg-line-strong',
}

const legend = [
  ['good', 'Operational'],
  ['some', 'Operational, incomplete data'],
  ['bad', 'Some downtime'],
  ['none', 'No data'],
] as const satisfies readonly (readonly [DayState, string])[]

function Strip({ days }: { days: readonly ShownDay[] }) {
  return (
    <div aria-hidden="true">
      <div className="flex h-8 items-end gap-px">
        {days.map((day) => (
          <span key={day.day} title={`${day.day}: ${dayText(day)}`} className={`min-w-0 grow ${looks[day.state]}`} />
        ))}
      </div>
      <div className="mt-1 flex justify-between text-note text-ink-2">
        <span>90 days ago</span>
        <span>Today</span>
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-note">
        {legend.map(([state, label]) => (
          <li key={state} className="flex items-end gap-2">
            <span className={`w-2 ${looks[state]}`} />
            {label}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Table({ days }: { days: readonly ShownDay[] }) {
  return (
    <details className="mt-4">
      <summary className="prose-link min-h-8 w-fit cursor-pointer py-1">Show as table</summary>
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
  if (since === null) return null
  if (since === undefined) return <p className="mb-4 font-medium">No checks have run yet.</p>
  return (
    <p className="mb-4 font-medium text-caution">
      No checks have run since <DateTime at={since.toISOString()} />.
    </p>
  )
}

/** Uptime of the last 90 days. `uptime` is null if the uptime checks can't be loaded. */
export function UptimeStrip({ uptime, now }: { uptime: readonly UptimeDay[] | null; now: number }) {
  const days = shownDays(uptime ?? [], now)
  return (
    <Section
      id="days"
      title="90 days"
      lead="Every minute we check that the database responds and market data is loaded. Days are in UTC. Days without checks have no data."
    >
      {uptime === null ? (
        <p>Uptime history is not available right now.</p>
      ) : (
        <>
          <Silence since={silentSince(uptime, now)} />
          <p className="mb-4">{summarise(days)}</p>
          <Strip days={days} />
          <Table days={days} />
        </>
      )}
    </Section>
  )
}
