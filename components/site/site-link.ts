/** Classes of a link in the site's header. */
export const siteLink =
  'flex items-center text-ink-2 underline-offset-4 hover:text-ink hover:underline aria-[current=true]:font-medium aria-[current=true]:text-ink'

/** Classes of the current page in a sidebar, on a link with the position `relative`. A bar marks it too, so that it doesn't rely on colour alone. */
export const currentPage =
  'aria-[current=page]:bg-accent-wash aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:before:absolute aria-[current=page]:before:inset-y-2 aria-[current=page]:before:left-0 aria-[current=page]:before:w-0.75 aria-[current=page]:before:rounded-full aria-[current=page]:before:bg-accent'
