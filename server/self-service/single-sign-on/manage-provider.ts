import { writeAudit } from '#server/accounts/audit.ts'
import { encrypt } from '#server/accounts/encryption.ts'
import { attempt, limits } from '#server/accounts/throttle.ts'
import { FieldsError, refuseFaults } from '#server/api/contract/field-errors.ts'
import type { Asker, AuthContext } from '#server/auth/auth-context.ts'
import { endOrganisationSessions } from '#server/auth/sessions.ts'
import { accountActor, type Viewer } from '#server/auth/viewer.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { lockAsOwner } from '../team.ts'
import { deleteProvider } from './delete-provider.ts'
import { type ProviderNetwork, ProviderRequestError, providerUrlFault } from './guarded-requests.ts'
import { toProviderId } from './organisations.ts'
import { discoverProvider } from './provider-metadata.ts'

/** Purpose of the key that encrypts the client secrets. */
export const secretPurpose = 'single sign-on'

/** Returns the provider of the account that is shown, without its secret, and the URLs that belong to it. `provider` is null if there is none. */
export async function readSingleSignOn({ pool, publicUrl }: AuthContext, { accountId, publicId }: Viewer) {
  const provider = await pool.singleSignOn.findUnique({ where: { accountId }, select: { issuer: true, clientId: true, isRequired: true } })
  return {
    provider,
    callbackUrl: `${publicUrl}/api/auth/callback/${toProviderId(publicId)}`,
    signInUrl: `${publicUrl}/sign-in?organisation=${publicId}`,
  }
}

type Typed = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }

const maxLength = 500

const textFault = (text: string, what: string): string | null =>
  text === '' ? `Enter the ${what}.` : text.length > maxLength ? `The ${what} must be ${maxLength} characters or fewer.` : null

function issuerFault(issuer: string, network: ProviderNetwork): string | null {
  const url = URL.parse(issuer)
  if (url === null || issuer.length > maxLength || !/^https?:/.test(issuer)) return 'Enter the issuer URL, such as https://login.example.com.'
  return url.search === '' ? providerUrlFault(url, network) : 'The issuer URL must not contain a query.'
}

/**
 * Saves the provider of an account after its discovery document has been read. A change of issuer or client unlinks all logins, because the new one may give
 * the same subject to someone else. @throws AccessError, FieldsError, ThrottledError
 */
export async function setSingleSignOn(deps: AuthContext, network: ProviderNetwork, asker: Asker, viewer: Viewer, typed: Typed): Promise<void> {
  const { accountId, publicId } = viewer
  const [issuer, clientId, clientSecret] = [typed.issuer.trim(), typed.clientId.trim(), typed.clientSecret.trim()]
  const faults = { issuer: issuerFault(issuer, network), clientId: textFault(clientId, 'client ID'), clientSecret: textFault(clientSecret, 'client secret') }
  refuseFaults(faults)
  await attempt(deps.pool, [limits.providerChecks, publicId])
  await discoverProvider(network, issuer).catch((error: unknown) => {
    throw error instanceof ProviderRequestError ? new FieldsError({ issuer: error.message }) : error
  })
  await inTransaction(deps.pool, async (tx) => {
    await lockAsOwner(tx, viewer)
    const before = await tx.singleSignOn.findUnique({ where: { accountId }, select: { issuer: true, clientId: true } })
    if (before !== null && (before.issuer !== issuer || before.clientId !== clientId)) {
      await endOrganisationSessions(tx, accountId)
      await tx.linkedSignIn.deleteMany({ where: { accountId } })
    }
    const data = { issuer, clientId, clientSecret: encrypt(deps.secret, secretPurpose, publicId, clientSecret) }
    await tx.singleSignOn.upsert({ where: { accountId }, create: { accountId, ...data }, update: data, select: { accountId: true } })
    await writeAudit(tx, { ...accountActor(viewer, asker), accountId, action: 'single-sign-on.set', before, after: { issuer, clientId } })
  })
}

const missing = "Single sign-on isn't set up for this account. Reload the page."

/**
 * Requires single sign-on of all members except the owner, from their next request on, or stops requiring it. @throws AccessError; FieldsError if the owner has
 * not linked their own login, which would show that the provider works
 */
export async function requireSingleSignOn(deps: AuthContext, asker: Asker, viewer: Viewer, isRequired: boolean): Promise<void> {
  const { accountId, member } = viewer
  await inTransaction(deps.pool, async (tx) => {
    await lockAsOwner(tx, viewer)
    const row = await tx.singleSignOn.findUnique({
      where: { accountId },
      select: { isRequired: true, identities: { where: { memberId: member.accountId }, take: 1, select: { memberId: true } } },
    })
    if (row === null) throw new FieldsError({ form: missing })
    if (row.isRequired === isRequired) return
    if (isRequired && row.identities.length === 0)
      throw new FieldsError({ form: 'Connect single sign-on to your own account first, under Settings > Security, to check that it works.' })
    await tx.singleSignOn.update({ where: { accountId }, data: { isRequired }, select: { accountId: true } })
    const change = { before: { isRequired: row.isRequired }, after: { isRequired } }
    await writeAudit(tx, { ...accountActor(viewer, asker), accountId, action: 'single-sign-on.require', ...change })
  })
}

/** Removes the provider of an account: unlinks all logins, and ends the sessions that began through it. @throws AccessError, FieldsError */
export async function removeSingleSignOn(deps: AuthContext, asker: Asker, viewer: Viewer): Promise<void> {
  const { accountId } = viewer
  await inTransaction(deps.pool, async (tx) => {
    await lockAsOwner(tx, viewer)
    if (!(await deleteProvider(tx, { ...accountActor(viewer, asker), accountId }))) throw new FieldsError({ form: missing })
  })
}
