import type { ReactNode } from 'react'
import { Time } from '#components/data/time.tsx'
import { Notice } from '#components/ui/notice.tsx'
import type { Outputs } from '../kit/layout.tsx'

type Morning = Outputs['imports']['morning']
type Source = Morning['sources'][number]

function rest(sources: readonly Source[]): string {
  const count = (state: Source['state']) => sources.filter((one) => one.state === state).length
  const parts = [
    [count('held'), 'quarantined'],
    [count('failed'), 'failed'],
    [count('due'), 'not tried yet'],
  ] as const
  return parts.flatMap(([total, label]) => (total === 0 ? [] : [`${total} ${label}`])).join(', ')
}

const newest = (sources: readonly Source[]) =>
  sources.reduce<Date | null>((last, { triedAt }) => (triedAt && (last === null || triedAt > last) ? triedAt : last), null)

function Demonstration({ at, figures }: { at: Date } & Pick<Morning, 'figures'>) {
  const stale = figures.filter(({ isStale }) => isStale).length
  return (
    <>
      Demonstration market, generated on <Time at={at} look="day" />; its rates are never out of date.
      {stale === 0 ? null : ` ${stale === 1 ? 'One public statistic is' : `${stale} public statistics are`} out of date, because no source is configured.`}
    </>
  )
}

/** States whether today's data has arrived, or that the market is a demonstration. */
function Answer({ since, sources, imports, figures, demonstrationAt }: Morning): ReactNode {
  const arrived = sources.filter(({ state }) => state === 'arrived').length
  if (demonstrationAt !== null) return <Demonstration at={demonstrationAt} figures={figures} />
  if (sources.length === 0)
    return (
      <>
        No. This service has only bundled or manually imported data, because no automatic imports are configured:{' '}
        <code className="font-mono">MARKET_SOURCES</code> is empty.{' '}
        {imports[0] ? (
          <>
            Last import: <Time at={imports[0].at} />.
          </>
        ) : (
          'Nothing has been imported yet.'
        )}
      </>
    )
  if (arrived < sources.length)
    return (
      <>
        No. Data from {arrived} of {sources.length} {sources.length === 1 ? 'source' : 'sources'} has arrived since <Time at={since} />. Others: {rest(sources)}
        .
      </>
    )
  return (
    <>
      Yes. Data from {arrived === 1 ? 'the only source' : `all ${arrived} sources`} has arrived since <Time at={since} />, most recently at{' '}
      <Time at={newest(sources) ?? since} look="clock" />.
    </>
  )
}

/** Notice on whether the market data is up to date. */
export function FreshnessNotice({ morning }: { morning: Morning }) {
  const { sources } = morning
  const tone = sources.length === 0 ? 'info' : sources.every(({ state }) => state === 'arrived') ? 'good' : 'caution'
  return (
    <Notice tone={tone} title={sources.length === 0 ? 'Is the data up to date?' : 'Has this morning’s data arrived?'}>
      <p>
        <Answer {...morning} />
      </p>
    </Notice>
  )
}
