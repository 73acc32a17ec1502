type PageLink = { readonly href: string; readonly name: string }

const home: PageLink = { href: '/', name: 'Go to the home page' }

/** Content of the site's 404 page. */
export function NotFoundContent({ way = home }: { way?: PageLink }) {
  return (
    <>
      <h1 className="text-hero font-semibold tracking-tight">Page not found</h1>
      <p className="mt-4 max-w-[68ch] text-prose text-ink-2">That page doesn't exist.</p>
      <p className="mt-4">
        <a className="prose-link inline-block py-1" href={way.href}>
          {way.name}
        </a>
      </p>
    </>
  )
}
