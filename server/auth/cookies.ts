import { decode, encode, type JWT, type JWTDecodeParams } from 'next-auth/jwt'
import type { FieldFaults } from '#server/api/contract/field-errors.ts'
import { randomBase62 } from '#server/ids.ts'
import type { AuthContext, ProviderProfile } from './auth-context.ts'
import type { LinkedIdentity } from './sessions.ts'

const day = 86_400

/** Cookies of the auth module and their lifetimes. */
export const cookieKinds = {
  /** A sign-up in this browser that is awaiting confirmation. */
  'sign-up': { lifetimeSeconds: day },
  /** A user who was verified by a provider but has no account yet. */
  'provider-sign-up': { lifetimeSeconds: 1_800 },
  /** A sign-in with a correct password that still needs a code. */
  code: { lifetimeSeconds: 600 },
  /** Accounts that this browser has signed in to. Sign-ins with this cookie have a separate rate limit, which unauthenticated requests can't exhaust. */
  device: { lifetimeSeconds: 365 * day },
  /** Proof of a recent password check, for connecting a provider. */
  connect: { lifetimeSeconds: 900 },
  /** An account's first test key, kept until the page that displays it has been shown. */
  welcome: { lifetimeSeconds: 600 },
  /** Errors of a sign-in form, kept until the form's page has shown them. */
  faults: { lifetimeSeconds: 60 },
  /** Marks a browser in which the developer opened the link to /dev/mail. */
  outbox: { lifetimeSeconds: 30 * day },
} as const satisfies Record<string, { lifetimeSeconds: number }>

export type CookieKind = keyof typeof cookieKinds

/** Invitation being accepted through the inviting account's identity provider. `through` is the user's identity there. */
export type SingleSignOnInvitation = { readonly through: LinkedIdentity; readonly token: string }

export type CookieClaims = {
  /** `next` is the path of the invitation to return to after the confirmation. */
  'sign-up': { account: string; email: string; next?: string }
  /** `invitation` is set if the inviting account's provider verified the user. */
  'provider-sign-up': { profile: ProviderProfile; invitation?: SingleSignOnInvitation }
  /** `through` is set if the first step was a sign-in at an account's provider. */
  code: { account: string; version: number; next: string; through?: LinkedIdentity }
  device: Device
  /** `provider` is the id of the only provider that may be connected. */
  connect: { session: string; provider: string }
  welcome: { account: string; key: string }
  faults: { form: string; faults: FieldFaults; email: string }
  outbox: Record<string, never>
}

/** Cookie to set. An empty value with maxAge 0 deletes it. */
export type SetCookie = { readonly name: string; readonly value: string; readonly options: ReturnType<typeof cookieOptions> & { readonly maxAge: number } }

/** Cookies of a request, and those to set with its response. */
export type CookieJar = {
  readonly read: <Kind extends CookieKind>(kind: Kind) => Promise<CookieClaims[Kind] | null>
  readonly set: (...cookies: readonly SetCookie[]) => Promise<void>
}

/** Returns true if the site uses HTTPS. Browsers then accept a `__Host-` cookie only from this exact host. */
export const isSecure = ({ publicUrl }: Pick<AuthContext, 'publicUrl'>): boolean => publicUrl.startsWith('https://')

export const cookieName = (deps: Pick<AuthContext, 'publicUrl'>, kind: CookieKind | 'session' | 'state' | 'csrf' | 'pkce' | 'nonce' | 'callback'): string =>
  `${isSecure(deps) ? '__Host-' : ''}svc.${kind}`

export const cookieOptions = (deps: AuthContext) => ({ httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(deps) }) as const

/**
 * These cookies use the format of next-auth's session token, but with a separate key for each kind, so that a cookie of one kind is never accepted as another.
 */
const getSalt = (kind: CookieKind): string => `svc.${kind}`

/** Header of the tokens issued here. Tokens with any other header are rejected. */
const tokenHeader = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')

/** Decrypts a token. Returns null if it uses another algorithm. @throws if the token is invalid, expired or was issued for another purpose */
export async function readToken(parameters: JWTDecodeParams): Promise<JWT | null> {
  return parameters.token?.startsWith(`${tokenHeader}.`) ? decode(parameters) : null
}

export async function makeCookie<Kind extends CookieKind>(deps: AuthContext, kind: Kind, claims: CookieClaims[Kind]): Promise<SetCookie> {
  const maxAge = cookieKinds[kind].lifetimeSeconds
  const value = await encode({ token: claims, secret: deps.secret, salt: getSalt(kind), maxAge })
  return { name: cookieName(deps, kind), value, options: { ...cookieOptions(deps), maxAge } }
}

export const dropCookie = (deps: AuthContext, kind: CookieKind | 'session'): SetCookie => ({
  name: cookieName(deps, kind),
  value: '',
  options: { ...cookieOptions(deps), maxAge: 0 },
})

/** Decrypts a token. Returns null if it is empty, encrypted with another secret or for another purpose, modified or expired. */
export const openToken = (token: string, secret: string, salt: string): Promise<JWT | null> => readToken({ token, secret, salt }).catch(() => null)

/** Returns the claims of a cookie, or null if it is empty, expired or not ours. */
export async function openCookie<Kind extends CookieKind>({ secret }: AuthContext, kind: Kind, value = ''): Promise<CookieClaims[Kind] | null> {
  return (await openToken(value, secret, getSalt(kind))) as CookieClaims[Kind] | null
}

/** Browser that has signed in before, with its accounts. Stored only in an encrypted cookie. */
export type Device = { readonly id: string; readonly accounts: readonly string[] }

const maxAccounts = 8

export const isKnownDevice = (device: Device | null, account: string): boolean => device?.accounts.includes(account) ?? false

/** Adds an account to a device. The newest account comes first. */
export function withAccount(device: Device | null, account: string): Device {
  const others = (device?.accounts ?? []).filter((other) => other !== account)
  return { id: device?.id ?? randomBase62(22), accounts: [account, ...others].slice(0, maxAccounts) }
}
