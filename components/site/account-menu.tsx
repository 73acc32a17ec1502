'use client'

import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Accounts, MenuTarget } from './account-menu-items.tsx'
import { getInitials, type Who } from './who.ts'

type Props = {
  who: Who
  /** Choice of the account to show, if there are several. */
  accounts?: Accounts
  /** Links of the menu, besides the theme and sign-out. */
  links: readonly MenuTarget[]
  /** next-auth's CSRF token for the sign-out form. */
  csrfToken: string
  tone: 'plain' | 'ink'
}

const load = () => import('./account-menu-items.tsx')
const AccountMenuItems = lazy(async () => ({ default: (await load()).AccountMenuItems }))

const avatars = {
  plain: 'bg-accent text-on-accent',
  ink: 'bg-on-bar text-bar',
} as const

/** id of the sign-out form, which the menu's button submits. */
const signOutForm = 'sign-out'

/** Avatar that opens the account menu. The menu's code is loaded on first use. Without JavaScript, a sign-out button is shown instead. */
export function AccountMenu({ who, accounts, links, csrfToken, tone }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [isLoaded, setLoaded] = useState(false)
  const toggle = () => {
    setLoaded(true)
    setOpen((was) => !was)
  }
  return (
    <>
      <form id={signOutForm} action="/api/auth/signout" method="post" className="hidden noscript:block">
        <input type="hidden" name="csrfToken" value={csrfToken} />
        <input type="hidden" name="callbackUrl" value="/sign-in" />
        <button type="submit" className="min-h-11 cursor-pointer px-2 underline underline-offset-3">
          Sign out
        </button>
      </form>
      <button
        ref={button}
        type="button"
        onClick={toggle}
        onPointerEnter={() => void load()}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={`Account menu, ${who.email}`}
        className="-mr-1 flex min-h-11 cursor-pointer items-center gap-1.5 rounded-control px-1 noscript:hidden"
      >
        {/* Generated content, because the initials are not part of the button's name. */}
        <span
          aria-hidden="true"
          data-initials={getInitials(who)}
          className={`flex size-8 items-center justify-center rounded-full text-note font-semibold before:content-[attr(data-initials)] ${avatars[tone]}`}
        />
        <ChevronDown aria-hidden="true" className="size-4 opacity-70 max-sm:hidden" />
      </button>
      {isLoaded ? (
        <Suspense fallback={null}>
          <AccountMenuItems who={who} {...(accounts ? { accounts } : {})} links={links} form={signOutForm} anchor={button} isOpen={isOpen} setOpen={setOpen} />
        </Suspense>
      ) : null}
    </>
  )
}
