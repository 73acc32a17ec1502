import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { getTheme, type Theme, themeCookieNames } from '#components/site/theme-choice.ts'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { changeKinds } from '#server/api/contract/changelog.ts'

type PublicPage = {
  readonly path: RegExp
  /** Query of the page, if it has one. Pages have at most one parameter, so each page has one normalised URL. */
  readonly query?: RegExp
  /** Colours depend on the theme cookie. */
  readonly isThemed: boolean
}

const id = '[A-Za-z0-9][A-Za-z0-9._-]{0,119}'
const oneOf = (name: string, values: readonly string[]) => new RegExp(`^${name}=(?:${values.join('|')})$`)
const html = (path: string, more: Partial<PublicPage> = {}): PublicPage => ({ path: new RegExp(`^${path}$`), isThemed: true, ...more })
const text = (path: string): PublicPage => ({ path: new RegExp(`^${path}$`), isThemed: false })

/** All pages that may be cached. They contain nothing about the reader, because they are rendered from a request without a session. */
const publicPages: readonly PublicPage[] = [
  html('/', { query: oneOf('type', accountTypeValues) }),
  // Before the HTML pages, because a guide may not end in .md.
  text(`/(?:(?:docs|reference|licence)(?:/${id}){0,2}|terms|privacy)\\.md`),
  html(`/docs(?:/(?!search(?:/|$))${id}){0,3}`),
  html(`/reference(?:/${id})?`),
  html(`/(?:products|providers)/${id}`),
  html('/status'),
  html('/changelog', { query: oneOf('kind', Object.keys(changeKinds)) }),
  html(`/licence(?:/${id})?`),
  html('/(?:help|terms|privacy)'),
  text('/(?:llms\\.txt|changelog\\.xml|status\\.xml|sitemap\\.xml|robots\\.txt)'),
]

const hostShape = /^[\w.:[\]-]{1,255}$/

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/** Returns the scheme and host that the reader used, which examples on the pages repeat. Reads the same headers as `siteOrigin`. */
function getOrigin(headers: IncomingHttpHeaders): { scheme: string; host: string } | null {
  const host = first(headers['x-forwarded-host']) ?? headers.host ?? ''
  const scheme = first(headers['x-forwarded-proto']) ?? 'http'
  return hostShape.test(host) && /^https?$/.test(scheme) ? { scheme, host } : null
}

function readTheme(cookie = ''): Theme {
  if (!cookie.includes('theme=')) return 'system'
  const values = themeCookieNames.map((name) => new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(cookie)?.[1]?.trim())
  return getTheme(values.find((value) => value !== undefined))
}

/** Request for a page that may be cached: everything that the page depends on. */
export type PageRequest = {
  readonly key: string
  /** Path with the normalised query. */
  readonly url: string
  readonly theme: Theme
  readonly isThemed: boolean
  readonly scheme: string
  readonly host: string
}

/**
 * Returns the requested page, null if it is not a public page, and `uncacheable` for a public page that has to be rendered for this request: with unknown
 * parameters, for example.
 */
export function findPublicPage({ method, url = '', headers }: IncomingMessage): PageRequest | 'uncacheable' | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2)
  const page = publicPages.find((one) => one.path.test(path))
  if (page === undefined) return null
  const origin = getOrigin(headers)
  // With the header RSC, Next's router requests the data of a page instead of the page. Without it, Next ignores the router's other headers.
  const isKnown = headers['rsc'] === undefined && (query === '' || page.query?.test(query) === true)
  if (origin === null || !isKnown) return 'uncacheable'
  const theme = page.isThemed ? readTheme(headers.cookie) : 'system'
  const target = query === '' ? path : `${path}?${query}`
  return { key: `${theme} ${origin.scheme}://${origin.host}${target}`, url: target, theme, isThemed: page.isThemed, ...origin }
}
