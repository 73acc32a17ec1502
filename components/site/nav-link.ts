/** Classes of a sidebar link. */
export const navLink =
  'flex min-h-10 items-center rounded-control px-3 text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink max-lg:min-h-11'
