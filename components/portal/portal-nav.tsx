import { siteParts } from '../site/site-pages.ts'
import { type PortalPage, portalPages } from './portal-pages.ts'

const link =
  'flex min-h-10 items-center rounded-control px-3 text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink max-lg:min-h-11'

/** The way around the portal: its own pages, and below a rule those of the site. */
export function PortalNav({ current, signOut }: { current: PortalPage | undefined; signOut: () => Promise<void> }) {
  return (
    <nav aria-label="Portal" className="flex flex-col">
      {portalPages.map(({ id, href, name }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined} className={link}>
          {name}
        </a>
      ))}
      <hr className="my-3 border-line" />
      {siteParts
        .filter(({ id }) => id !== 'prices')
        .map(({ id, href, name }) => (
          <a key={id} href={href} className={link}>
            {name}
          </a>
        ))}
      <hr className="my-3 border-line" />
      <form action={signOut}>
        <button type="submit" className={`${link} w-full cursor-pointer text-left`}>
          Sign out
        </button>
      </form>
    </nav>
  )
}
