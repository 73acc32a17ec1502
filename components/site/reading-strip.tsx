import { Day, Moment } from './moment.tsx'
import { type DayState, dayWords, type Reading, type ShownDay, shownDays, silentSince, summaryOf } from './reading-words.ts'
import { Section } from './section.tsx'

/** Told apart by their height as well as by their colour. */
const looks: Readonly<Record<DayState, string>> = {
  good: 'h-8 bg-good',
  some: 'h-5 bg-good',
  bad: 'h-8 bg-danger',
  none: 'h-1 bg-line-strong',
}

const legend = [
  ['good', 'Working'],
  ['some', 'Working, not read all day'],
  ['bad', 'Not working at times'],
  ['none', 'No reading'],
] as const satisfies readonly (readonly [DayState, string])[]

function Strip({ days }: { days: readonly ShownDay[] }) {
  return (
    <div aria-hidden="true">
      <div className="flex h-8 items-end gap-px">
        {days.map((day) => (
          <span key={day.day} title={`${day.day}: ${dayWords(day)}`} className={`min-w-0 grow ${looks[day.state]}`} />
        ))}
      </div>
      <div className="mt-1 flex justify-between text-note text-ink-2">
        <span>90 days ago</span>
        <span>Today</span>
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-note">
        {legend.map(([state, words]) => (
          <li key={state} className="flex items-end gap-2">
            <span className={`w-2 ${looks[state]}`} />
            {words}
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
        <caption className="sr-only">What is known of each UTC day, newest first</caption>
        <thead>
          <tr className="border-b border-line-strong text-left text-ink-2">
            <th scope="col" className="py-2 font-medium">
              Day
            </th>
            <th scope="col" className="py-2 font-medium">
              Readings
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day} className="border-b border-line">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                <Day on={day.day} />
              </th>
              <td className="py-1.5 tabular-nums">{dayWords(day)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function Silence({ since }: { since: Date | null | undefined }) {
  if (since === null) return null
  if (since === undefined) return <p className="mb-4 font-medium">We have no reading yet.</p>
  return (
    <p className="mb-4 font-medium text-caution">
      We have no reading since <Moment at={since.toISOString()} />.
    </p>
  )
}

/** Ninety days of readings. `readings` is null when they cannot be read just now. */
export function ReadingStrip({ readings, now }: { readings: readonly Reading[] | null; now: number }) {
  const days = shownDays(readings ?? [], now)
  return (
    <Section
      id="days"
      title="90 days"
      lead="Once a minute the service is asked whether its database answers and its market is loaded. Days are UTC. A day without a reading is unknown."
    >
      {readings === null ? (
        <p>The readings cannot be shown at the moment.</p>
      ) : (
        <>
          <Silence since={silentSince(readings, now)} />
          <p className="mb-4">{summaryOf(days)}</p>
          <Strip days={days} />
          <Table days={days} />
        </>
      )}
    </Section>
  )
}
