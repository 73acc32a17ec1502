import { randomBytes } from 'node:crypto'
import type { Env } from '#server/env.ts'

export type PageSettings = Pick<Env, 'publicUrl' | 'isDevelopment' | 'providers'>

/** Stripe origins for entering cards, and for managing cards, invoices and billing details. */
const paymentOrigins = ['https://checkout.stripe.com', 'https://billing.stripe.com'] as const

/** Returns the other origins that forms may redirect to, for payment and external sign-in: browsers also apply `form-action` to redirects. */
function formTargets({ providers }: PageSettings): string[] {
  const issuers = Object.values(providers).flatMap((provider) => URL.parse(provider?.issuer ?? '')?.origin ?? [])
  return [...paymentOrigins, ...issuers]
}

/** Builds a policy. Styles come from our files; style attributes are allowed because charts position their labels with them, and they cannot run scripts. */
function buildPolicy(scripts: readonly string[], styles: readonly string[], settings: PageSettings): string {
  const { publicUrl, isDevelopment } = settings
  const directives = [
    "default-src 'self'",
    // In development, React rebuilds stacks with eval, and hot reload uses inline styles and a WebSocket.
    ["script-src 'self'", ...scripts, `'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`].join(' '),
    isDevelopment ? "style-src 'self' 'unsafe-inline'" : ["style-src 'self'", ...styles].join(' '),
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${isDevelopment ? ' ws:' : ''}`,
    "object-src 'none'",
    "frame-src 'none'",
    "base-uri 'none'",
    `form-action 'self' ${formTargets(settings).join(' ')}`,
    "frame-ancestors 'none'",
    ...(publicUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ]
  return directives.join('; ')
}

/** Returns the content security policy of a page that is rendered for one response. Scripts run only with the nonce, which is unique to that response. */
export const contentPolicy = (nonce: string, settings: PageSettings): string => buildPolicy([`'nonce-${nonce}'`], [`'nonce-${nonce}'`], settings)

/** Returns the content security policy of a page that is sent to many readers. Scripts run only if their hash is listed, such as `sha256-…`. */
export const hashedPolicy = (hashes: readonly string[], settings: PageSettings): string =>
  buildPolicy(
    hashes.map((hash) => `'${hash}'`),
    [],
    settings,
  )

/** Returns a new nonce, to be used for one response only. */
export const newNonce = (): string => randomBytes(16).toString('base64')

/** Matches the consent page, and the sign-in and sign-up pages that lead to it. */
const consentPath = /^\/portal\/connect(?:\?|$)|^\/(?:sign-in|sign-up)(?:\/[a-z-]+)*\?(?:[^#]*&)?next=%2Fportal%2Fconnect(?:%3F|&|$)/i

/**
 * Returns the opener policy of a page. The consent page, and the sign-in before it, keep the connection to the window that opened them: applications in a browser
 * open them in a popup and wait for its result.
 */
export const openerPolicy = (url: string): string => (consentPath.test(url) ? 'unsafe-none' : 'same-origin')

/** Returns the security headers other than the content security and opener policies, as pairs of name and value. They are the same for every response outside the API. */
export function pageHeaders(settings: PageSettings): readonly (readonly [name: string, value: string])[] {
  return [
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
    // One year. Excludes subdomains, which may belong to others.
    ...(settings.publicUrl.startsWith('https:') ? ([['Strict-Transport-Security', 'max-age=31536000']] as const) : []),
  ]
}
