/** Link to a provider's website. The address of a fictional provider is marked, as it leads nowhere. */
export function OutsideLink({ url, isFictional }: { url: string; isFictional: boolean }) {
  const { hostname, pathname } = new URL(url)
  return (
    <>
      <a className="prose-link wrap-anywhere" href={url} rel="noopener noreferrer nofollow">
        {hostname}
        {pathname === '/' ? '' : pathname}
      </a>
      {isFictional ? <span className="text-ink-2"> (fictional address)</span> : null}
    </>
  )
}
