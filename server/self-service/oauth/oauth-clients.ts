import { z } from 'zod'
import { clock } from '#server/clock.ts'
import type { Database, Db } from '#server/db/prisma.ts'
import { newPublicId } from '#server/ids.ts'
import { isLoopbackUrl } from '#server/runtime/loopback.ts'

const dayMs = 86_400_000

/** Applications are deleted this many days after their last approval. They can register again. */
const keptDays = 90
/** Time after which an application that nobody has approved is deleted. */
const unapprovedMs = 3 * 3_600_000
const maxRedirectUris = 10

/**
 * Schemes of known clients. Any other application uses a domain name in reverse (RFC 8252, section 7.1): browsers and systems handle many short schemes
 * themselves, and some of them open any URL.
 */
const clientSchemes = ['cursor', 'vscode', 'vscode-insiders', 'vscodium', 'windsurf', 'zed', 'claude', 'goose', 'lmstudio', 'raycast', 'warp', 'jetbrains']

const reverseDomain = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/

const isAppScheme = (protocol: string): boolean => reverseDomain.test(protocol) || clientSchemes.includes(protocol.slice(0, -1))

/** Returns true for a URI that a code may be sent to: HTTPS, HTTP on the user's own machine, or an application's own scheme. */
function isRedirectUri(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.hash !== '' || text.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'http:') return isLoopbackUrl(text)
  return url.protocol === 'https:' || isAppScheme(url.protocol)
}

const RedirectUri = z
  .string()
  .max(500)
  .regex(/^[\x21-\x7e]+$/)
  .refine(isRedirectUri, 'Must use https, http on localhost, or an app scheme such as com.example.app, without a fragment or credentials.')

/** Registration request (RFC 7591). Other members are ignored, as the RFC requires. */
export const Registration = z.object({
  client_name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u, 'Must contain only visible characters and spaces.')
    .refine((name) => !/\p{Default_Ignorable_Code_Point}/u.test(name), 'Must not contain invisible characters.')
    .refine((name) => !/savings\W*rates/i.test(name.normalize('NFKC')), 'Must not be the name of this service.')
    .default('Unnamed application'),
  redirect_uris: z.array(RedirectUri).min(1).max(maxRedirectUris),
  // Some applications ask for a secret, but all work without one if the response says so.
  token_endpoint_auth_method: z.string().max(40).optional(),
  grant_types: z
    .array(z.string().max(100))
    .max(10)
    .refine((types) => types.includes('authorization_code'), 'Must include "authorization_code".')
    .default(['authorization_code']),
  response_types: z
    .array(z.string().max(40))
    .max(10)
    .refine((types) => types.includes('code'), 'Must include "code".')
    .default(['code']),
})

/** Registered application. */
export type OAuthApp = { readonly id: number; readonly publicId: string; readonly name: string; readonly redirectUris: readonly string[] }

/** Registers an application. Returns the response of RFC 7591, with an id but no secret, because the application runs on users' devices. */
export async function registerClient(db: Db, { client_name: name, redirect_uris: redirectUris }: z.infer<typeof Registration>) {
  const now = new Date(clock.now())
  const publicId = newPublicId('app')
  await db.oAuthClient.create({ data: { publicId, name, redirectUris, createdAt: now, lastUsedAt: now }, select: { id: true } })
  return {
    client_id: publicId,
    client_id_issued_at: Math.floor(now.getTime() / 1_000),
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
  }
}

/** Returns true if a string has the form of an application's public id. */
export const isClientId = (text: string): boolean => /^app_\w{1,60}$/.test(text)

/** Finds an application by its public id. */
export async function findClient(db: Db, publicId: string): Promise<OAuthApp | null> {
  return db.oAuthClient.findUnique({ where: { publicId }, select: { id: true, publicId: true, name: true, redirectUris: true } })
}

const withoutPort = (url: URL): string => `${url.protocol}//${url.hostname}${url.pathname}${url.search}`

/** Returns true if the application registered this URI. On the user's own machine any port is accepted, because applications get a free one at each start (RFC 8252). */
export function isRegisteredUri(uri: string, { redirectUris }: Pick<OAuthApp, 'redirectUris'>): boolean {
  if (redirectUris.includes(uri)) return true
  const url = URL.parse(uri)
  if (url === null || url.protocol !== 'http:' || !isRedirectUri(uri)) return false
  return redirectUris.some((registered) => isLoopbackUrl(registered) && withoutPort(new URL(registered)) === withoutPort(url))
}

/** Rows deleted by one statement. */
const batch = 10_000

/** Runs a deletion until it finds no more rows, at most 50 times. */
async function deleteAll(deleteBatch: () => Promise<{ count: number }>): Promise<void> {
  for (let run = 0; run < 50; run++) if ((await deleteBatch()).count < batch) return
}

/**
 * Deletes expired codes, applications that nobody has approved within three hours, and those that nobody has approved for 90 days, unless one of their keys
 * still works.
 */
export async function forgetOAuth(db: Database): Promise<void> {
  const now = clock.now()
  // A used code is kept for a day, so that its second use is recognised.
  await deleteAll(() => db.oAuthCode.deleteMany({ where: { expiresAt: { lt: new Date(now - dayMs) } }, limit: batch }))
  const isUnused = { lastUsedAt: { equals: db.oAuthClient.fields.createdAt, lt: new Date(now - unapprovedMs) } }
  const where = { codes: { none: {} }, keys: { none: { revokedAt: null } }, OR: [isUnused, { lastUsedAt: { lt: new Date(now - keptDays * dayMs) } }] }
  await deleteAll(() => db.oAuthClient.deleteMany({ where, limit: batch }))
}
