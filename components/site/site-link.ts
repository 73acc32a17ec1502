/** Classes of a link in the site's header. */
export const siteLink =
  'flex items-center text-ink-2 underline-offset-4 hover:text-ink hover:underline aria-[current=true]:font-medium aria-[current=true]:text-ink'
