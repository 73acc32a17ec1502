import { ThemeSwitch } from './theme-switch.tsx'

const links = [
  { href: '/help', name: 'Help' },
  { href: '/licence', name: 'Data Licence' },
  { href: '/terms', name: 'Terms' },
  { href: '/privacy', name: 'Privacy' },
  { href: '/docs/errors', name: 'Errors' },
  { href: '/changelog.xml', name: 'Changelog feed' },
  { href: '/api/developer/openapi.json', name: 'OpenAPI' },
  { href: '/api/developer/postman.json', name: 'Postman' },
  { href: '/llms.txt', name: 'llms.txt' },
] as const

export function SiteFooter() {
  return (
    <footer className="border-t border-line print:hidden">
      <div className="mx-auto flex w-full max-w-280 flex-wrap items-center justify-between gap-x-8 gap-y-4 px-4 py-6 text-note text-ink-2 sm:px-6">
        <nav aria-label="More" className="flex flex-wrap gap-x-5">
          {links.map(({ href, name }) => (
            <a key={href} href={href} className="flex min-h-8 items-center underline underline-offset-3 hover:text-ink max-sm:min-h-11">
              {name}
            </a>
          ))}
        </nav>
        <ThemeSwitch />
        <p className="w-full text-pretty">Rates are data, not advice. Check the provider’s terms before you open an account.</p>
      </div>
    </footer>
  )
}
