import type { ReactNode } from 'react'
import { productName } from '#server/api/contract/product-name.ts'
import { AccountLinks } from './account-links.tsx'
import { BrandMark } from './brand-mark.tsx'
import { SearchButton } from './palette/search-button.tsx'
import { PhoneMenu } from './phone-menu.tsx'
import { siteLink } from './site-link.ts'
import { type SitePart, siteParts } from './site-pages.ts'
import { ThemeSwitch } from './theme-switch.tsx'

const legal = {
  title: 'Legal',
  links: [
    { href: '/licence', name: 'Data Licence' },
    { href: '/terms', name: 'Terms' },
    { href: '/privacy', name: 'Privacy' },
  ],
} as const

const columns = [
  {
    title: 'Product',
    links: [
      { href: '/docs', name: 'Docs' },
      { href: '/docs/prices', name: 'Prices' },
      { href: '/status', name: 'Status' },
    ],
  },
  {
    title: 'Developers',
    links: [
      { href: '/api/developer/openapi.json', name: 'OpenAPI' },
      { href: '/api/developer/postman.json', name: 'Postman' },
      { href: '/llms.txt', name: 'llms.txt' },
    ],
  },
  {
    title: 'Support',
    links: [
      { href: '/help', name: 'Help' },
      { href: '/docs/errors', name: 'Errors' },
      { href: '/changelog.xml', name: 'Changelog feed' },
    ],
  },
  legal,
] as const

const footerLink = 'flex min-h-7 w-fit items-center underline-offset-3 hover:text-ink hover:underline max-sm:min-h-11'

/** Footer of one line, for pages with one task. */
function LegalFooter() {
  return (
    <footer className="border-t border-line print:hidden">
      <nav aria-label={legal.title} className="mx-auto w-full max-w-320 px-4 py-3 text-note text-ink-2 sm:px-6">
        <ul className="flex flex-wrap justify-center gap-x-6">
          {legal.links.map(({ href, name }) => (
            <li key={href}>
              <a href={href} className={footerLink}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </footer>
  )
}

function SiteFooter() {
  return (
    <footer className="border-t border-line bg-sunken print:hidden">
      <div className="mx-auto grid w-full max-w-320 gap-x-8 gap-y-5 px-4 py-7 text-note text-ink-2 max-sm:gap-y-4 max-sm:py-6 sm:px-6 lg:grid-cols-[16rem_1fr]">
        <div className="flex flex-col items-start gap-3">
          <p className="flex items-center gap-2.5 text-body font-semibold text-ink max-sm:hidden">
            <BrandMark />
            {productName}
          </p>
          <p className="max-w-64 text-pretty max-sm:hidden">UK savings rates, their terms and their history, as an API.</p>
          <ThemeSwitch />
        </div>
        <nav aria-label="More" className="grid grid-cols-4 gap-x-8 max-sm:flex max-sm:flex-wrap max-sm:gap-x-5">
          {columns.map(({ title, links }) => (
            <div key={title} className="max-sm:contents">
              <p className="font-medium text-ink max-sm:hidden">{title}</p>
              <ul className="mt-1 max-sm:contents">
                {links.map(({ href, name }) => (
                  <li key={href}>
                    <a href={href} className={footerLink}>
                      {name}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <p className="text-pretty lg:col-span-2 lg:border-t lg:border-line lg:pt-4">
          Rates are data, not advice. Check the provider’s terms before you open an account.
        </p>
      </div>
    </footer>
  )
}

function Links({ current, className }: { current: SitePart | undefined; className: string }) {
  return siteParts.map(({ id, href, name }) => (
    <a key={id} href={href} aria-current={id === current ? 'true' : undefined} className={`${siteLink} ${className}`}>
      {name}
    </a>
  ))
}

function Brand() {
  return (
    <a href="/" className="flex min-h-14 items-center gap-2.5 font-semibold">
      <BrandMark />
      {productName}
    </a>
  )
}

const bar = 'mx-auto flex w-full max-w-320 px-4 sm:px-6'

/** Alternative action in the header of a page with one form. */
type FormAction = { readonly href: string; readonly name: string }

/** Header of a page with one form: no navigation. */
function FormHeader({ action }: { action: FormAction | null }) {
  return (
    <header className="border-b border-line print:hidden">
      <div className={`flex-wrap items-center justify-between gap-x-6 ${bar}`}>
        <Brand />
        {action === null ? null : (
          <nav aria-label="Account">
            <a href={action.href} className={`${siteLink} min-h-11`}>
              {action.name}
            </a>
          </nav>
        )}
      </div>
    </header>
  )
}

/** Header and navigation of the site. On narrow screens the links are in a menu that works without JavaScript. */
function SiteHeader({ current }: { current: SitePart | undefined }) {
  return (
    <header className="border-b border-line print:hidden">
      <div className={`relative items-center justify-between gap-x-6 ${bar}`}>
        <Brand />
        <nav aria-label="Site" className="hidden grow gap-6 lg:flex">
          <Links current={current} className="min-h-14" />
        </nav>
        <div className="flex items-center gap-5 max-xl:gap-3">
          <SearchButton scope="site" />
          <nav aria-label="Account" className="hidden items-center gap-5 max-xl:gap-3 lg:flex">
            <AccountLinks className="min-h-14" />
          </nav>
          <PhoneMenu className="min-h-14">
            <nav aria-label="Site" className="absolute inset-x-0 top-full z-10 border-b border-line bg-surface px-4 pt-2 pb-4 shadow-float sm:px-6">
              <Links current={current} className="min-h-11" />
              <AccountLinks className="mt-2 min-h-11 border-t border-line" />
            </nav>
          </PhoneMenu>
        </div>
      </div>
    </header>
  )
}

type Props = {
  /** Section that the page belongs to. */
  current?: SitePart
  /** Set on pages with one form, which have no navigation: the other action that their header offers, or null. */
  formAction?: FormAction | null
  children: ReactNode
}

/** Header, main and footer of every public page. */
export function SiteShell({ current, formAction, children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-20 focus:rounded-control focus:bg-surface focus:p-2 print:hidden"
      >
        Skip to content
      </a>
      {formAction === undefined ? <SiteHeader current={current} /> : <FormHeader action={formAction} />}
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-320 grow px-4 pt-8 pb-16 outline-none sm:px-6 sm:pt-10">
        {children}
      </main>
      {formAction === undefined ? <SiteFooter /> : <LegalFooter />}
    </div>
  )
}
