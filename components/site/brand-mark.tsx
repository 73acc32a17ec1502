/** Mark of the product, the same on the site and behind sign-in. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className="size-7 shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path d="M8 11h16M8 19h16M8 23h16" className="stroke-on-accent" strokeWidth="2.5" />
    </svg>
  )
}
