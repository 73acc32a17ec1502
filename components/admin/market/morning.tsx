import type { ReactNode } from 'react'
import { Time } from '#components/data/time.tsx'
import { Notice } from '#components/ui/notice.tsx'
import type { SourceState } from './source-tag.tsx'

type Props = { since: Date; sources: readonly { readonly state: SourceState; readonly triedAt: Date | null }[]; lastImport: Date | null }

const question = 'Has this morning’s data arrived?'

function rest(sources: Props['sources']): string {
  const count = (state: SourceState) => sources.filter((one) => one.state === state).length
  const parts = [
    [count('held'), 'quarantined'],
    [count('failed'), 'failed'],
    [count('due'), 'not tried yet'],
  ] as const
  return parts.flatMap(([total, label]) => (total === 0 ? [] : [`${total} ${label}`])).join(', ')
}

/** Shown if no automatic imports are configured. */
function ByHand({ lastImport }: Pick<Props, 'lastImport'>) {
  return (
    <>
      No automatic imports configured: <code className="font-mono">MARKET_SOURCES</code> is empty.{' '}
      {lastImport === null ? (
        'Nothing has been imported yet.'
      ) : (
        <>
          Last import: <Time at={lastImport} />.
        </>
      )}
    </>
  )
}

const newest = (sources: Props['sources']) =>
  sources.reduce<Date | null>((last, { triedAt }) => (triedAt && (last === null || triedAt > last) ? triedAt : last), null)

function Answer({ since, sources, lastImport }: Props): ReactNode {
  if (sources.length === 0) return <ByHand lastImport={lastImport} />
  const arrived = sources.filter(({ state }) => state === 'arrived').length
  if (arrived < sources.length) {
    return (
      <>
        No. {arrived} of {sources.length} {sources.length === 1 ? 'source' : 'sources'} arrived since <Time at={since} />: {rest(sources)}.
      </>
    )
  }
  return (
    <>
      Yes. {arrived === 1 ? 'The only source has' : `All ${arrived} sources have`} arrived since <Time at={since} />, the last at{' '}
      <Time at={newest(sources) ?? since} look="clock" />.
    </>
  )
}

/** Notice that says if today's data has arrived. */
export function Morning(props: Props) {
  const { sources } = props
  const tone = sources.length === 0 ? 'info' : sources.every(({ state }) => state === 'arrived') ? 'good' : 'caution'
  return (
    <Notice tone={tone} title={question}>
      <p>
        <Answer {...props} />
      </p>
    </Notice>
  )
}
