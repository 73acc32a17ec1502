import { ChevronLeft } from 'lucide-react'

/** Link to the parent page, above the title. */
export function BackLink({ href, name }: { readonly href: string; readonly name: string }) {
  return (
    <p className="mb-1 max-lg:-mt-5 max-lg:-mb-2.5">
      <a
        href={href}
        className="-ml-1 inline-flex min-h-8 items-center gap-0.5 pr-1 text-table wrap-anywhere text-ink-2 underline-offset-3 hover:text-ink hover:underline max-lg:min-h-11"
      >
        <ChevronLeft aria-hidden="true" className="size-4 shrink-0" />
        {name}
      </a>
    </p>
  )
}
