import { getInitials, type Who } from './who.ts'

/** Link to the portal with the name of the account. Until the name has loaded, a placeholder of the same size is shown. */
export function AccountLink({ who }: { who?: Who }) {
  const name = who === undefined ? 'Your account' : who.name === '' ? who.email : who.name
  return (
    <a
      {...(who === undefined ? {} : { href: '/portal' })}
      className="flex min-h-9 w-36 items-center gap-2 rounded-control border border-line-strong pr-2.5 pl-1.5 font-medium hover:bg-hover max-lg:min-h-11 max-lg:w-auto max-lg:grow lg:max-xl:w-auto lg:max-xl:pr-1.5"
    >
      <span
        aria-hidden="true"
        className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent text-[0.6875rem] font-semibold text-on-accent"
      >
        {who === undefined ? null : getInitials(who)}
      </span>
      <span className="truncate lg:max-xl:sr-only">
        {who === undefined ? null : <span className="sr-only">Your account, </span>}
        {name}
      </span>
    </a>
  )
}
