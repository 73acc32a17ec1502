/** `rest` is the end of a long name, hidden on a phone. */
type SubPage = { readonly href: string; readonly name: string; readonly rest?: string }

type Props = { label: string; pages: readonly SubPage[]; path: string }

const link =
  'flex min-h-11 items-center border-b-2 border-transparent whitespace-nowrap text-ink-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink'

/** Navigation between the pages of a section. `path` is the current one. */
export function SubNavigation({ label, pages, path }: Props) {
  const [current] = path.split('?', 1)
  return (
    <nav aria-label={label} className="mb-8 flex flex-wrap gap-x-6 border-b max-sm:gap-x-3.5 border-line print:hidden">
      {pages.map(({ href, name, rest }) => (
        <a key={href} href={href} aria-current={href === current ? 'page' : undefined} className={`-mb-px ${link}`}>
          {name}
          {rest === undefined ? null : <span className="whitespace-pre max-sm:hidden"> {rest}</span>}
        </a>
      ))}
    </nav>
  )
}
