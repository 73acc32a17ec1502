/** That an address of the portal names nothing of this account, and the way on. */
export function NotFoundWords() {
  return (
    <>
      <h1 className="text-h1 font-semibold tracking-tight">Page not found</h1>
      <p className="mt-4">
        <a className="prose-link" href="/portal">
          Go to the overview
        </a>
      </p>
    </>
  )
}
