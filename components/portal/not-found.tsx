/** Content of the portal's 404 page. */
export function NotFoundContent() {
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
