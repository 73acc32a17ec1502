import type { ReactNode } from 'react'
import { Time } from '#components/data/time.tsx'
import { Notice } from '#components/ui/notice.tsx'
import type { SourceState } from './source-tag.tsx'

type Props = { since: Date; sources: readonly { readonly state: SourceState; readonly triedAt: Date | null }[]; lastImport: Date | null }

const question = 'Has this morning’s data arrived?'

function rest(sources: Props['sources']): string {
  const count = (state: SourceState) => sources.filter((one) => one.state === state).length
  const parts = [
    [count('held'), 'held back until somebody looks at it'],
    [count('failed'), 'failed'],
    [count('due'), 'not tried yet'],
  ] as const
  return parts.flatMap(([many, words]) => (many === 0 ? [] : [`${many} ${words}`])).join(', ')
}

/** When nothing is fetched by itself. */
function ByHand({ lastImport }: Pick<Props, 'lastImport'>) {
  return (
    <>
      Nothing is fetched by itself: <code className="font-mono">MARKET_SOURCES</code> names no source.{' '}
      {lastImport === null ? (
        'Nothing was ever imported.'
      ) : (
        <>
          The last import was on <Time at={lastImport} />.
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
        Not all of it. Of {sources.length} {sources.length === 1 ? 'source' : 'sources'} {arrived} arrived since <Time at={since} />: {rest(sources)}.
      </>
    )
  }
  return (
    <>
      Yes. {arrived === 1 ? 'The one source has' : `All ${arrived} sources have`} arrived since <Time at={since} />, the last at{' '}
      <Time at={newest(sources) ?? since} look="clock" />.
    </>
  )
}

/** The one question of the page, answered. */
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
