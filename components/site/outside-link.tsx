/** A link to a firm's own site. A made-up firm has an address that nobody can own, and the reader is told so before following it. */
export function OutsideLink({ url, isFictional }: { url: string; isFictional: boolean }) {
  const { hostname, pathname } = new URL(url)
  return (
    <>
      <a className="prose-link wrap-anywhere" href={url} rel="noopener noreferrer nofollow">
        {hostname}
        {pathname === '/' ? '' : pathname}
      </a>
      {isFictional ? <span className="text-ink-2"> (a made-up address: nothing answers there)</span> : null}
    </>
  )
}
