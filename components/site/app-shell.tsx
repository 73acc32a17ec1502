import type { ReactNode } from 'react'
import { Toaster } from '#components/ui/toast.tsx'
import { PhoneMenu } from './phone-menu.tsx'

/** Classes of a sidebar link. */
export const navLink =
  'flex min-h-10 items-center rounded-control px-3 text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink max-lg:min-h-11'

type Props = {
  /** Link target of the service name. */
  home: string
  /** Label next to the service name, such as the section. */
  label?: string
  /** `ink` is the dark bar that distinguishes the admin pages from the portal. */
  tone?: 'plain' | 'ink'
  /** Name or email of the signed-in account. */
  who: string
  /** Figures on the right of the bar, shown on every screen size. */
  figures?: ReactNode
  nav: ReactNode
  children: ReactNode
}

const bars = { plain: 'border-b border-line bg-surface', ink: 'bg-ink text-canvas' } as const

/** Top bar, sidebar and main area of every page behind sign-in. On narrow screens the sidebar becomes a menu; the figures stay. */
export function AppShell({ home, label, tone = 'plain', who, figures, nav, children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-20 focus:rounded-control focus:bg-surface focus:p-2 focus:text-ink print:hidden"
      >
        Skip to content
      </a>
      <header className={bars[tone]}>
        <div className="relative flex min-h-14 items-center justify-between gap-4 px-4 lg:px-6">
          <a href={home} className="flex min-h-11 items-center gap-2.5 font-semibold">
            <svg viewBox="0 0 32 32" aria-hidden="true" className="size-6 shrink-0">
              <rect width="32" height="32" rx="6" className="fill-accent" />
              <path d="M8 11h16M8 19h16M8 23h16" className="stroke-on-accent" strokeWidth="2.5" />
            </svg>
            <span className="max-sm:sr-only">Savings Rates API</span>
            {label === undefined ? null : <span className="border-l border-current pl-2.5">{label}</span>}
          </a>
          <div className="flex min-w-0 items-center gap-4">
            {figures}
            <span className={`max-w-64 truncate border-l pl-4 max-lg:hidden ${tone === 'ink' ? 'border-current' : 'border-line text-ink-2'}`}>{who}</span>
            <PhoneMenu className="min-h-11" word="Menu">
              <div className="absolute inset-x-0 top-full z-10 border-b border-line bg-surface px-2 py-2 text-ink shadow-float">
                <p className="truncate px-3 py-2 text-note text-ink-2">{who}</p>
                {nav}
              </div>
            </PhoneMenu>
          </div>
        </div>
      </header>
      <div className="flex grow">
        <aside className="w-54 shrink-0 border-r border-line px-3 py-5 max-lg:hidden">{nav}</aside>
        <main id="content" tabIndex={-1} className="min-w-0 grow px-4 pt-6 pb-16 outline-none lg:px-10 lg:pt-8">
          <div className="max-w-280">{children}</div>
        </main>
      </div>
      <Toaster />
    </div>
  )
}

/** Sign-out button of the sidebar. */
export function SignOut({ csrfToken }: { csrfToken: string }) {
  return (
    <form action="/api/auth/signout" method="post">
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="callbackUrl" value="/sign-in" />
      <button type="submit" className={`${navLink} w-full cursor-pointer text-left`}>
        Sign out
      </button>
    </form>
  )
}

/** Returns the name of an account for the top bar, or its email if it has no name. */
export const whoIs = ({ name, email }: { name: string; email: string }): string => (name === '' ? email : name)
