import { ButtonLink } from '#components/ui/button.tsx'
import { changeKinds } from '#server/api/contract/changelog.ts'

/** Filter by kind of change. The choice is in the URL. */
export function ChangelogFilter({ chosen, feed }: { chosen: string | null; feed: string }) {
  const choices: readonly (readonly [kind: string | null, name: string])[] = [[null, 'All'], ...Object.entries(changeKinds)]
  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 print:hidden">
      <nav aria-label="Kinds of change" className="flex flex-wrap gap-x-5">
        {choices.map(([kind, name]) => (
          <a
            key={name}
            href={kind === null ? '/changelog' : `/changelog?kind=${kind}`}
            aria-current={kind === chosen ? 'true' : undefined}
            className="flex min-h-11 items-center border-b-2 border-transparent text-ink-2 hover:text-ink aria-[current=true]:border-accent aria-[current=true]:font-medium aria-[current=true]:text-ink"
          >
            {name}
          </a>
        ))}
      </nav>
      <ButtonLink kind="primary" href={feed}>
        Subscribe to feed
      </ButtonLink>
    </div>
  )
}
