import { Chevron } from '#components/ui/chevron.tsx'
import { PhoneMenu } from './phone-menu.tsx'
import { type SitePart, siteParts } from './site-pages.ts'

const link = 'flex items-center text-ink-2 underline-offset-4 hover:text-ink hover:underline aria-[current=true]:font-medium aria-[current=true]:text-ink'

function Links({ current, className }: { current: SitePart | undefined; className: string }) {
  return siteParts.map(({ id, href, name }) => (
    <a key={id} href={href} aria-current={id === current ? 'true' : undefined} className={`${link} ${className}`}>
      {name}
    </a>
  ))
}

const framed =
  'flex min-h-9 items-center justify-center rounded-control border border-accent px-3 font-medium text-accent hover:bg-accent-wash max-lg:mt-2 max-lg:min-h-11'

function AccountLinks({ className, isSignedIn }: { className: string; isSignedIn: boolean }) {
  if (isSignedIn) {
    return (
      <a href="/portal" className={framed}>
        Your account
      </a>
    )
  }
  return (
    <>
      <a href="/sign-in" className={`${link} ${className}`}>
        Sign in
      </a>
      <a href="/sign-up" className={framed}>
        Create account
      </a>
    </>
  )
}

function Brand() {
  return (
    <a href="/" className="flex min-h-14 items-center gap-2.5 font-semibold">
      <svg viewBox="0 0 32 32" aria-hidden="true" className="size-6 shrink-0">
        <rect width="32" height="32" rx="6" className="fill-accent" />
        <path d="M8 11h16M8 19h16M8 23h16" className="stroke-on-accent" strokeWidth="2.5" />
      </svg>
      Savings Rates API
    </a>
  )
}

/** Header and navigation of the site. On narrow screens the links are in a menu that works without JavaScript. */
export function SiteHeader({ current, isSignedIn }: { current: SitePart | undefined; isSignedIn: boolean }) {
  return (
    <header className="border-b border-line print:hidden">
      <div className="relative mx-auto flex w-full max-w-280 items-center justify-between gap-x-8 px-4 sm:px-6">
        <Brand />
        <nav aria-label="Site" className="hidden grow gap-6 lg:flex">
          <Links current={current} className="min-h-14" />
          <span className="ml-auto flex items-center gap-5">
            <AccountLinks className="min-h-14" isSignedIn={isSignedIn} />
          </span>
        </nav>
        <PhoneMenu
          className="min-h-14"
          word={
            <>
              Menu
              <Chevron />
            </>
          }
        >
          <nav aria-label="Site" className="absolute inset-x-0 top-full z-10 border-b border-line bg-surface px-4 pt-2 pb-4 shadow-float sm:px-6">
            <Links current={current} className="min-h-11" />
            <AccountLinks className="mt-2 min-h-11 border-t border-line" isSignedIn={isSignedIn} />
          </nav>
        </PhoneMenu>
      </div>
    </header>
  )
}
