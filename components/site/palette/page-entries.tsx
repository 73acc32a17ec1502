import { BookOpen, CirclePlus, CircleQuestionMark, Keyboard, LogIn, type LucideIcon, Moon, ShieldCheck, Sun, SunMoon, UserPlus, Wallet } from 'lucide-react'
import { adminPages } from '#components/admin/admin-pages.ts'
import { type PortalPage, portalPages } from '#components/portal/portal-pages.ts'
import { adminIcons, portalIcons, siteIcons } from '#components/site/nav-icons.tsx'
import { siteParts } from '#components/site/site-pages.ts'
import type { Theme } from '#components/site/theme-choice.ts'
import { applyTheme } from '#components/site/theme-switch.tsx'
import { toast } from '#components/ui/toast.tsx'
import { isSlashOn, setSlash } from './slash-shortcut.ts'

/** Area of the site that the search button is on. Its pages are listed first. */
export type PaletteScope = 'site' | 'portal' | 'admin'

export type PageEntry = {
  readonly name: string
  readonly note?: string
  readonly icon: LucideIcon
  /** Other words that match the entry. */
  readonly words?: string
  /** URL to open, or an action. */
  readonly target: string | (() => void)
}

/** Other words that match the pages of the portal. */
const pageWords = {
  overview: 'home',
  keys: 'api keys rotate replace revoke',
  usage: 'download csv calls credits statistics',
  requests: 'calls log errors',
  billing: 'payments credits balance card',
  alerts: 'saved searches market notifications bank rate email',
  webhooks: 'events endpoints deliveries',
  settings: 'profile name email time zone',
} as const satisfies Record<PortalPage, string>

const portal: readonly PageEntry[] = [
  ...portalPages.map(({ id, href, name }) => ({ name, icon: portalIcons[id], words: pageWords[id], target: href })),
  { name: 'Create key', icon: CirclePlus, words: 'new api key', target: '/portal/keys/new' },
  { name: 'Create alert', icon: CirclePlus, words: 'new saved search market bank rate', target: '/portal/alerts/new' },
  { name: 'Top up', icon: Wallet, words: 'buy credits payment', target: '/portal/billing/top-up' },
  { name: 'Statement', icon: portalIcons.billing, words: 'ledger balance download export csv', target: '/portal/billing/statement' },
  { name: 'Receipts and invoices', icon: portalIcons.billing, words: 'vat payments accountant', target: '/portal/billing/receipts' },
  { name: 'Billing details', icon: portalIcons.billing, words: 'invoice company name address vat number tax', target: '/portal/billing/receipts#details' },
  {
    name: 'Spending limits',
    icon: portalIcons.billing,
    words: 'alerts and caps low balance email spend cap automatic top-up',
    target: '/portal/billing/alerts',
  },
  { name: 'Security', icon: portalIcons.settings, words: 'password two-factor 2fa devices sign out sessions', target: '/portal/settings/security' },
  { name: 'Members', icon: portalIcons.settings, words: 'team invite invitation roles single sign-on sso', target: '/portal/settings/members' },
  { name: 'Notifications', icon: portalIcons.settings, words: 'emails', target: '/portal/settings/notifications' },
  { name: 'Account', icon: portalIcons.settings, words: 'activity history close delete audit', target: '/portal/settings/account' },
  { name: 'Contact support', icon: CircleQuestionMark, words: 'help message question', target: '/portal/help' },
]

const admin: readonly PageEntry[] = adminPages.map(({ id, href, name }) => ({ name, note: 'Admin', icon: adminIcons[id], target: href }))

const site: readonly PageEntry[] = [
  ...siteParts.map(({ id, href, name }) => ({ name, icon: siteIcons[id], target: href })),
  { name: 'Errors', icon: BookOpen, words: 'error codes', target: '/docs/errors' },
  { name: 'Help', icon: CircleQuestionMark, words: 'contact support', target: '/help' },
  { name: 'Data Licence', icon: ShieldCheck, words: 'terms attribution', target: '/licence' },
]

const signedOut: readonly PageEntry[] = [
  { name: 'Sign in', icon: LogIn, words: 'log in', target: '/sign-in' },
  { name: 'Create account', icon: UserPlus, words: 'sign up register', target: '/sign-up' },
]

type Reader = { readonly isAdmin: boolean } | null

/** Returns the pages of the current area that a reader can open, followed by those of the other areas. */
export function getPages(scope: PaletteScope, reader: Reader): { readonly here: readonly PageEntry[]; readonly elsewhere: readonly PageEntry[] } {
  if (reader === null) return { here: [...site, ...signedOut], elsewhere: [] }
  const forAdmin = reader.isAdmin ? admin : []
  if (scope === 'admin') return { here: forAdmin, elsewhere: [...portal, ...site] }
  return scope === 'portal' ? { here: portal, elsewhere: [...site, ...forAdmin] } : { here: site, elsewhere: [...portal, ...forAdmin] }
}

const themeEntry = (theme: Theme, name: string, icon: LucideIcon): PageEntry => ({
  name,
  icon,
  words: 'theme colours appearance',
  target: () => applyTheme(theme),
})

/** Returns actions that don't open a page. They are listed once the reader types. */
export function getActions(): readonly PageEntry[] {
  const isOn = isSlashOn()
  return [
    themeEntry('light', 'Use light theme', Sun),
    themeEntry('dark', 'Use dark theme', Moon),
    themeEntry('system', 'Use system theme', SunMoon),
    {
      name: isOn ? 'Turn off the / shortcut' : 'Turn on the / shortcut',
      icon: Keyboard,
      words: 'slash keyboard',
      target: () => {
        setSlash(!isOn)
        toast(isOn ? 'The / shortcut is off' : 'The / shortcut is on')
      },
    },
  ]
}

const getWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns true if every word of the query starts a word of the text. An empty query matches everything. */
export function isMatch(query: string, ...texts: readonly (string | undefined)[]): boolean {
  const words = getWords(texts.join(' '))
  return getWords(query).every((word) => words.some((one) => one.startsWith(word)))
}
