/** That an address of the site names nothing, and the way on. */
export function NotFoundWords() {
  return (
    <>
      <h1 className="text-hero font-semibold tracking-tight">Page not found</h1>
      <p className="mt-4 max-w-[68ch] text-prose text-ink-2">Check the address.</p>
      <p className="mt-4">
        <a className="prose-link inline-block py-1" href="/">
          Go to the start page
        </a>
      </p>
    </>
  )
}
