import { randomBytes } from 'node:crypto'
import type { Env } from '#server/env.ts'

export type PageSettings = Pick<Env, 'publicUrl' | 'isDevelopment' | 'providers'>

/** Where cards are entered, and where cards, invoices and billing details are looked after. */
const paymentOrigins = ['https://checkout.stripe.com', 'https://billing.stripe.com'] as const

/** Where a form may lead besides this site, since browsers count what it redirects to: to pay, and to sign in elsewhere. */
function formTargets({ providers }: PageSettings): string[] {
  const issuers = Object.values(providers).flatMap((provider) => URL.parse(provider?.issuer ?? '')?.origin ?? [])
  return [...paymentOrigins, ...issuers]
}

/**
 * What a page may load and run. Scripts run by a nonce alone, of which each answer has its own, so no page may be made ahead of its request. Styles come
 * from our files; attributes may hold some, because charts place their labels by them, and an attribute of style runs nothing.
 */
export function contentPolicy(nonce: string, settings: PageSettings): string {
  const { publicUrl, isDevelopment } = settings
  const directives = [
    "default-src 'self'",
    // In development React rebuilds stacks with eval, and hot reload brings styles and a socket of its own.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    isDevelopment ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
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

/** The nonce of one answer. */
export const newNonce = (): string => randomBytes(16).toString('base64')

/** The other headers that keep a reader safe, the same on every answer that is not the API's: names and values. */
export function pageHeaders(settings: PageSettings): readonly (readonly [name: string, value: string])[] {
  return [
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ['Referrer-Policy', 'strict-origin-when-cross-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    // A year. Not for names below, which may belong to others.
    ...(settings.publicUrl.startsWith('https:') ? ([['Strict-Transport-Security', 'max-age=31536000']] as const) : []),
  ]
}
