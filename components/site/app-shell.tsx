import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Toaster } from '#components/ui/toast.tsx'
import { productName } from '#server/api/contract/product-name.ts'
import { AccountMenu } from './account-menu.tsx'
import type { Accounts, MenuTarget } from './account-menu-items.tsx'
import { BrandMark } from './brand-mark.tsx'
import type { PaletteScope } from './palette/page-entries.tsx'
import { SearchButton } from './palette/search-button.tsx'
import { PhoneMenu } from './phone-menu.tsx'
import { currentPage } from './site-link.ts'
import type { Who } from './who.ts'

type NavLinkProps = { href: string; icon: LucideIcon; isCurrent?: boolean; children: ReactNode }

/** Link of the sidebar. */
export function NavLink({ href, icon: Icon, isCurrent = false, children }: NavLinkProps) {
  return (
    <a
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      className={`group/link relative flex min-h-9 items-center gap-3 rounded-control px-3 text-ink-2 transition-colors duration-120 hover:bg-hover hover:text-ink motion-reduce:transition-none max-lg:min-h-11 ${currentPage}`}
    >
      <Icon
        aria-hidden="true"
        className="size-4.5 shrink-0 text-ink-3 group-hover/link:text-ink-2 group-aria-[current=page]/link:text-accent"
        strokeWidth={1.75}
      />
      {children}
    </a>
  )
}

/** Heading of a group of sidebar links. */
export function NavHeading({ children }: { children: ReactNode }) {
  return <p className="mt-5 mb-1 px-3 text-note font-medium text-ink-3">{children}</p>
}

type Props = {
  /** Link target of the service name. */
  home: string
  /** Label next to the service name, such as the section. */
  label?: string
  /** `ink` is the dark bar that distinguishes the admin pages from the portal. */
  tone?: 'plain' | 'ink'
  scope: PaletteScope
  who: Who
  /** Choice of the account to show, if there are several. */
  accounts?: Accounts
  /** Links of the account menu. */
  links: readonly MenuTarget[]
  /** next-auth's CSRF token for the sign-out form. */
  csrfToken: string
  /** Figures on the right of the bar, shown on every screen size. */
  figures?: ReactNode
  nav: ReactNode
  children: ReactNode
}

const bars = { plain: 'max-lg:border-b max-lg:border-line max-lg:bg-surface', ink: 'border-b border-line bg-bar text-on-bar' } as const

const labels = { plain: 'border-l border-current pl-2.5', ink: 'rounded-control bg-accent px-1.5 text-note text-on-accent' } as const

function Brand({ home, label, tone = 'plain' }: Pick<Props, 'home' | 'label' | 'tone'>) {
  return (
    <a href={home} className="flex min-h-11 min-w-0 shrink-999 items-center gap-2.5 font-semibold">
      <BrandMark />
      <span className="max-md:sr-only">{productName}</span>
      {label === undefined ? null : <span className={`max-w-56 min-w-0 truncate ${labels[tone]}`}>{label}</span>}
    </a>
  )
}

/** Top bar, sidebar and main panel of every signed-in page. On narrow screens, the sidebar becomes a menu, and the figures stay in the bar. */
export function AppShell({ home, label, tone = 'plain', scope, who, accounts, links, csrfToken, figures, nav, children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-20 focus:rounded-control focus:bg-surface focus:p-2 focus:text-ink print:hidden"
      >
        Skip to content
      </a>
      <header className={`${bars[tone]} print:hidden`}>
        <div className="relative flex min-h-14 items-center justify-between gap-4 px-4 lg:px-6">
          <Brand home={home} tone={tone} {...(label === undefined ? {} : { label })} />
          <div className="flex min-w-0 items-center gap-x-4 max-sm:gap-x-2.5">
            {figures}
            <SearchButton scope={scope} tone={tone} />
            <AccountMenu who={who} {...(accounts ? { accounts } : {})} links={links} csrfToken={csrfToken} tone={tone} />
            <PhoneMenu className="min-h-11">
              <div className="absolute inset-x-0 top-full z-10 border-b border-line bg-surface px-2 py-2 text-ink shadow-float">{nav}</div>
            </PhoneMenu>
          </div>
        </div>
      </header>
      <div className="flex grow">
        <aside className="w-56 shrink-0 px-3 pt-2 pb-5 max-lg:hidden print:hidden">{nav}</aside>
        <main
          id="content"
          tabIndex={-1}
          className={`min-w-0 grow bg-surface px-4 pt-6 pb-16 outline-none lg:mr-3 lg:mb-3 lg:rounded-panel lg:border lg:border-line lg:px-10 lg:pt-8 lg:shadow-panel ${tone === 'ink' ? 'lg:mt-3' : ''}`}
        >
          <div className="max-w-280">{children}</div>
        </main>
      </div>
      <Toaster />
    </div>
  )
}
