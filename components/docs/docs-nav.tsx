import { currentPage } from '#components/site/site-link.ts'
import { Chevron } from '#components/ui/chevron.tsx'
import { NavScroll } from './nav-scroll.tsx'

type NavLink = {
  readonly href: string
  readonly name: string
  /** HTTP method of an endpoint, shown unless it is GET. */
  readonly method?: string
}

export type NavGroup = { readonly name: string; readonly links: readonly NavLink[] }

type Props = { label: string; groups: readonly NavGroup[]; current: string; hasSearch?: boolean }

function Groups({ groups, current }: Pick<Props, 'groups' | 'current'>) {
  return groups.map(({ name, links }) => (
    <div key={name} className="mt-6 first-of-type:mt-0">
      <p className="pl-3 text-note font-medium text-ink-3">{name}</p>
      <ul className="mt-1">
        {links.map((link) => (
          <li key={link.href}>
            <a
              href={link.href}
              aria-current={link.href === current ? 'page' : undefined}
              className={`relative flex min-h-8 items-center justify-between gap-2 rounded-control py-1 pr-2 pl-3 text-ink-2 hover:bg-hover hover:text-ink max-lg:min-h-11 ${currentPage}`}
            >
              {link.name}
              {link.method === undefined || link.method === 'GET' ? null : (
                <>
                  {' '}
                  <span className="shrink-0 font-mono text-[0.6875rem] font-medium text-ink-3">{link.method}</span>
                </>
              )}
            </a>
          </li>
        ))}
      </ul>
    </div>
  ))
}

/** Search form for readers without JavaScript. Others search with the button in the header. */
function SearchBox({ id }: { id: string }) {
  return (
    <search className="mb-6 hidden noscript:block">
      <form action="/docs/search" className="flex gap-2">
        <label htmlFor={id} className="sr-only">
          Search the docs
        </label>
        <input
          id={id}
          name="q"
          type="search"
          placeholder="Search the docs"
          className="h-9 min-w-0 grow rounded-control border border-line-strong bg-surface px-2.5 text-[1rem] placeholder:text-ink-3 max-lg:h-11 lg:text-table"
        />
      </form>
    </search>
  )
}

/** Navigation of the docs: a sidebar on wide screens, a disclosure on narrow ones. */
export function DocsNav({ label, groups, current, hasSearch = true }: Props) {
  const shown = groups.flatMap(({ links }) => links).find(({ href }) => href === current)
  return (
    <>
      <details className="group -mt-4 mb-6 rounded-panel border border-line bg-surface lg:hidden print:hidden">
        <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 px-4 font-medium [&::-webkit-details-marker]:hidden">
          <span className="min-w-0 truncate">
            <span>{label}</span>
            {shown === undefined ? null : (
              <span className="font-normal text-ink-2">
                {' · '}
                {shown.name}
              </span>
            )}
          </span>
          <Chevron />
        </summary>
        <nav aria-label={label} className="border-t border-line p-4">
          {hasSearch ? <SearchBox id="search-narrow" /> : null}
          <Groups groups={groups} current={current} />
        </nav>
      </details>
      <nav
        id="menu"
        aria-label={label}
        className="sticky top-6 hidden max-h-[calc(100dvh-3rem)] w-54 shrink-0 self-start overflow-y-auto pb-6 lg:block print:hidden"
      >
        {hasSearch ? <SearchBox id="search-wide" /> : null}
        <Groups groups={groups} current={current} />
      </nav>
      <NavScroll menu="menu" />
    </>
  )
}
