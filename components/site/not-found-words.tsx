type Way = { readonly href: string; readonly name: string }

const toStart: Way = { href: '/', name: 'Go to the start page' }

/** That an address of the site names nothing, and the way on. */
export function NotFoundWords({ way = toStart }: { way?: Way }) {
  return (
    <>
      <h1 className="text-hero font-semibold tracking-tight">Page not found</h1>
      <p className="mt-4 max-w-[68ch] text-prose text-ink-2">Check the address.</p>
      <p className="mt-4">
        <a className="prose-link inline-block py-1" href={way.href}>
          {way.name}
        </a>
      </p>
    </>
  )
}
