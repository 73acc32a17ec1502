import type { AuthorizationCode, AuthorizationCodeModel, Client, User } from '@node-oauth/oauth2-server'
import { z } from 'zod'
import { hashToken } from '#server/accounts/encryption.ts'
import { scopeNames } from '#server/api/contract/access.ts'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { clock } from '#server/clock.ts'
import type { Database, Db } from '#server/db/prisma.ts'
import { type Application, createApplicationKey } from '#server/keys/application-keys.ts'
import { immediately } from '#server/keys/keys.ts'
import type { KeyOwner, NewOwnKey } from '#server/keys/manage-own-keys.ts'
import { findClient, isRegisteredUri } from './oauth-clients.ts'

/** Access of the key to create, as stored with a code. */
const Access = z.object({
  mode: z.enum(['test', 'live']),
  name: z.string(),
  scopes: z.array(z.enum(scopeNames)),
  addresses: z.array(z.string()),
  capCredits: z.int().nullable(),
  expiresAt: z.coerce.date().nullable(),
  /** IP address from which the user approved it. */
  approvedFrom: z.string().nullable().default(null),
})

/** Person who approved the access, and the key that they approved. */
export type Grant = { readonly owner: KeyOwner; readonly key: NewOwnKey }

/** Grant of a code that is being exchanged. */
type CodeGrant = Grant & { readonly hash: Buffer; readonly application: Application }

const asUser = (grant: Grant | CodeGrant): User => ({ ...grant })

async function getClient(db: Db, publicId: string): Promise<Client | null> {
  const app = await findClient(db, publicId)
  return app === null ? null : { id: app.publicId, grants: ['authorization_code'], redirectUris: [...app.redirectUris] }
}

/** Finds a code that hasn't been used. The library checks its expiry and its application. */
async function getCode(db: Db, code: string): Promise<AuthorizationCode | null> {
  const hash = hashToken(code)
  const row = await db.oAuthCode.findUnique({ where: { hash }, include: { client: { select: { id: true, publicId: true, name: true } } } })
  if (row === null || row.usedAt !== null) return null
  const client = await getClient(db, row.client.publicId)
  if (client === null) return null
  const { approvedFrom, ...key } = Access.parse(row.access)
  const owner = { accountId: row.accountId, memberId: row.memberId, isConfirmed: true, address: approvedFrom }
  return {
    authorizationCode: code,
    expiresAt: row.expiresAt,
    redirectUri: row.redirectUri,
    codeChallenge: row.codeChallenge,
    codeChallengeMethod: 'S256',
    client,
    user: asUser({ owner, key, hash, application: { ...row.client, redirectUri: row.redirectUri } }),
  }
}

/** Storage of the OAuth library. An access token is an API key: it is created when a code is exchanged, and everything that applies to keys applies to it. */
export const oauthModel = (db: Database): AuthorizationCodeModel => ({
  getClient: (publicId) => getClient(db, publicId),
  validateRedirectUri: async (uri, { redirectUris }) => isRegisteredUri(uri, { redirectUris: [redirectUris ?? []].flat() }),
  saveAuthorizationCode: async (code, client, user) => {
    const { owner, key } = user as Grant
    const data = {
      hash: hashToken(code.authorizationCode),
      accountId: owner.accountId,
      memberId: owner.memberId ?? null,
      redirectUri: code.redirectUri,
      codeChallenge: code.codeChallenge ?? '',
      access: { ...key, approvedFrom: owner.address, scopes: [...key.scopes], addresses: [...key.addresses], expiresAt: key.expiresAt?.toISOString() ?? null },
      expiresAt: code.expiresAt,
    }
    const { id } = await db.oAuthClient.update({ where: { publicId: client.id }, data: { lastUsedAt: new Date(clock.now()) }, select: { id: true } })
    await db.oAuthCode.create({ data: { ...data, clientId: id }, select: { clientId: true } })
    return { ...code, client, user }
  },
  getAuthorizationCode: (code) => getCode(db, code),
  // If several requests present a code at the same time, exactly one of them uses it.
  revokeAuthorizationCode: async ({ authorizationCode }) => {
    const used = await db.oAuthCode.updateMany({ where: { hash: hashToken(authorizationCode), usedAt: null }, data: { usedAt: new Date(clock.now()) } })
    return used.count === 1
  },
  saveToken: async (_token, client, user) => {
    const { owner, key, hash, application } = user as CodeGrant
    const { key: accessToken } = await createApplicationKey(db, owner, key, application, async (tx, id) => {
      const { count } = await tx.oAuthCode.updateMany({ where: { hash: Buffer.from(hash), expiresAt: { gt: immediately } }, data: { keyId: id } })
      if (count !== 1) throw new FieldsError({ form: 'The authorisation code was presented twice.' })
    })
    const expiry = key.expiresAt === null ? {} : { accessTokenExpiresAt: key.expiresAt }
    return { accessToken, ...expiry, scope: [...key.scopes], client, user }
  },
  getAccessToken: async () => null,
})
