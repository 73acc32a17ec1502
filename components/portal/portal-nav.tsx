import { navLink } from '#components/site/nav-link.ts'
import { SignOut } from '#components/site/sign-out.tsx'
import { siteParts } from '#components/site/site-pages.ts'
import { type PortalPage, portalPages } from './portal-pages.ts'

type Props = { current: PortalPage | undefined; isAdmin: boolean; signOut: () => Promise<void> }

/** Navigation of the portal: its own pages, then those of the public site. */
export function PortalNav({ current, isAdmin, signOut }: Props) {
  return (
    <nav aria-label="Portal" className="flex flex-col">
      {portalPages.map(({ id, href, name }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined} className={navLink}>
          {name}
        </a>
      ))}
      {isAdmin ? (
        <a href="/admin" className={navLink}>
          Admin
        </a>
      ) : null}
      <hr className="my-3 border-line" />
      {siteParts
        .filter(({ id }) => id !== 'prices')
        .map(({ id, href, name }) => (
          <a key={id} href={href} className={navLink}>
            {name}
          </a>
        ))}
      <a href="/help" className={navLink}>
        Help
      </a>
      <hr className="my-3 border-line" />
      <SignOut action={signOut} />
    </nav>
  )
}
