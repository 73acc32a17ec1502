import { decode, encode, type JWT, type JWTDecodeParams } from 'next-auth/jwt'
import type { AuthRoom } from './auth-room.ts'
import type { ProviderProfile } from './provider-profile.ts'
import { sessionLimits } from './session-limits.ts'

const day = 86_400

/** Cookies of the room: what each says, and for how many seconds. */
export const cookieKinds = {
  /** The sign-in itself. Its lifetime is that of the row it names. */
  session: { lifetimeSeconds: sessionLimits.member.lifetimeSeconds },
  /** A sign-up of this browser that waits for its confirmation. */
  'sign-up': { lifetimeSeconds: day },
  /** Somebody whom a provider vouches for and who has no account yet. */
  'provider-sign-up': { lifetimeSeconds: 1_800 },
  /** A sign-in whose password was right and whose code is still asked for. */
  code: { lifetimeSeconds: 600 },
  /** Accounts that this browser has signed in to: strangers cannot use up its attempts. */
  device: { lifetimeSeconds: 365 * day },
  /** A sign-in whose password was just asked for, on its way to a provider that it wants to connect. */
  connect: { lifetimeSeconds: 900 },
  /** The first test key of an account, on its way to the page that shows it. */
  welcome: { lifetimeSeconds: 600 },
  /** A browser of the developer that opened the link to /dev/mail. */
  outbox: { lifetimeSeconds: 30 * day },
} as const satisfies Record<string, { lifetimeSeconds: number }>

export type CookieKind = keyof typeof cookieKinds

export type CookieClaims = {
  session: { sub: string; sid: string }
  'sign-up': { account: string; email: string }
  'provider-sign-up': { profile: ProviderProfile }
  code: { account: string; version: number; next: string }
  device: { id: string; accounts: string[] }
  connect: { session: string }
  welcome: { account: string; key: string }
  outbox: Record<string, never>
}

export type CookieOptions = { httpOnly: true; sameSite: 'lax'; path: '/'; secure: boolean; maxAge: number }

/** A cookie as it is set. An empty value with no time to live takes it away. */
export type SetCookie = { readonly name: string; readonly value: string; readonly options: CookieOptions }

/** Over HTTPS a browser takes a `__Host-` cookie from this very host only, and for all of it. */
export const isSecure = ({ publicUrl }: Pick<AuthRoom, 'publicUrl'>): boolean => publicUrl.startsWith('https://')

export const cookieName = (room: Pick<AuthRoom, 'publicUrl'>, kind: CookieKind | 'state' | 'csrf' | 'pkce' | 'nonce' | 'callback'): string =>
  `${isSecure(room) ? '__Host-' : ''}svc.${kind}`

const optionsOf = (room: AuthRoom, maxAge: number): CookieOptions => ({ httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(room), maxAge })

/** The session is a token of next-auth; the others are made the same way, each with a key of its own, so that none is taken for another. */
const saltOf = (kind: CookieKind): string => (kind === 'session' ? '' : `svc.${kind}`)

/** Header of every token that this service makes. No other algorithm is accepted. */
const tokenHeader = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')

/** Decrypts a token. Returns null for a token of another algorithm. @throws when the token was changed, has expired or is for another purpose */
export async function readToken(parameters: JWTDecodeParams): Promise<JWT | null> {
  return parameters.token?.startsWith(`${tokenHeader}.`) ? decode(parameters) : null
}

export async function makeCookie<Kind extends CookieKind>(room: AuthRoom, kind: Kind, claims: CookieClaims[Kind]): Promise<SetCookie> {
  const maxAge = cookieKinds[kind].lifetimeSeconds
  const value = await encode({ token: claims, secret: room.secret, salt: saltOf(kind), maxAge })
  return { name: cookieName(room, kind), value, options: optionsOf(room, maxAge) }
}

export const dropCookie = (room: AuthRoom, kind: CookieKind): SetCookie => ({ name: cookieName(room, kind), value: '', options: optionsOf(room, 0) })

/** What a cookie says; null when there is none, when it is too old, or when it is not ours. */
export async function openCookie<Kind extends CookieKind>(room: AuthRoom, kind: Kind, value: string | undefined): Promise<CookieClaims[Kind] | null> {
  if (value === undefined || value === '') return null
  try {
    return (await readToken({ token: value, secret: room.secret, salt: saltOf(kind) })) as CookieClaims[Kind] | null
  } catch {
    // Made with another secret, changed on the way, or expired: in every case it says nothing.
    return null
  }
}
