import { Rss } from 'lucide-react'
import { Words } from '#components/ui/phrase.tsx'
import { Tag, type Tone } from '#components/ui/tag.tsx'
import { type ChangeKind, type ChangelogEntry, changeKinds } from '#server/api/contract/changelog.ts'
import { Markdown } from './markdown.tsx'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const tones = { added: 'good', changed: 'plain', deprecated: 'caution' } as const satisfies Record<ChangeKind, Tone>

function Entry({ entry }: { entry: ChangelogEntry }) {
  const { id, kind, title, body } = entry
  return (
    <li id={id} className="scroll-mt-4 border-line py-6 not-first:border-t max-md:first:pt-4">
      <p className="mb-2">
        <Tag tone={tones[kind]}>{changeKinds[kind]}</Tag>
      </p>
      <h3 className="mb-2 text-h2 font-semibold text-balance">
        <Words text={title} />
      </h3>
      <div className="max-w-[68ch]">
        <Markdown source={body} />
      </div>
    </li>
  )
}

/** Entries of one UTC day. The date stays in view on a wide screen. */
function DayEntries({ date, entries }: { date: string; entries: readonly ChangelogEntry[] }) {
  return (
    <section aria-labelledby={`day-${date}`} className="gap-8 border-b border-line md:grid md:grid-cols-[11rem_minmax(0,1fr)]">
      <h2 id={`day-${date}`} className="self-start font-medium text-ink-2 max-md:pt-6 md:sticky md:top-0 md:py-6">
        <time dateTime={date}>{day.format(new Date(date))}</time>
      </h2>
      <ol className="min-w-0">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  )
}

/** Changelog by UTC day, newest first. */
export function ChangelogList({ entries, isFiltered }: { entries: readonly ChangelogEntry[]; isFiltered: boolean }) {
  if (entries.length === 0) return <p className="py-6 text-ink-2">{isFiltered ? 'No changes of this kind.' : 'No changes yet.'}</p>
  const days = Map.groupBy(entries, ({ publishedAt }) => publishedAt.toISOString().slice(0, 10))
  return [...days].map(([date, ofDay]) => <DayEntries key={date} date={date} entries={ofDay} />)
}

/** Filter by kind of change. The choice is in the URL. */
export function ChangelogFilter({ chosen, feed }: { chosen: string | null; feed: string }) {
  const choices: readonly (readonly [kind: string | null, name: string])[] = [[null, 'All'], ...Object.entries(changeKinds)]
  return (
    <div className="mt-6 flex flex-wrap-reverse items-center justify-between gap-x-8 border-b border-line-strong print:hidden">
      <nav aria-label="Kinds of change" className="flex flex-wrap gap-x-5">
        {choices.map(([kind, name]) => (
          <a
            key={name}
            href={kind === null ? '/changelog' : `/changelog?kind=${kind}`}
            aria-current={kind === chosen ? 'true' : undefined}
            className="-mb-px flex min-h-11 items-center border-b-2 border-transparent text-ink-2 hover:text-ink aria-[current=true]:border-accent aria-[current=true]:font-medium aria-[current=true]:text-ink"
          >
            {name}
          </a>
        ))}
      </nav>
      <a href={feed} className="flex min-h-11 items-center gap-2 text-ink-2 underline-offset-3 hover:text-ink hover:underline">
        <Rss aria-hidden="true" className="size-4" />
        Subscribe to feed
      </a>
    </div>
  )
}
