import { readRole } from '#server/accounts/permissions.ts'
import type { Role } from '#server/api/contract/teams.ts'
import type { Db } from '#server/db/prisma.ts'

const start = 'org-'

/** Returns the id that next-auth uses for the provider of an account, such as `org-acc_4Fzq…`. */
export const toProviderId = (publicId: string): string => `${start}${publicId}`

/** Form of the ids of accounts' providers. */
export const providerIdForm = /^org-acc_[0-9A-Za-z]{1,60}$/

/** Account whose members can sign in with its own provider. */
export type Organisation = {
  readonly accountId: number
  /** Id of its provider in next-auth. */
  readonly id: string
  readonly publicId: string
  /** Name for the buttons of the sign-in page, which anyone can open. Never the email of the account. */
  readonly label: string
  readonly issuer: string
  readonly clientId: string
  /** Encrypted. */
  readonly clientSecret: Buffer
  readonly isRequired: boolean
}

const select = {
  accountId: true,
  issuer: true,
  clientId: true,
  clientSecret: true,
  isRequired: true,
  account: { select: { id: true, publicId: true, name: true, state: true, ownerId: true } },
} as const

type Row = Omit<Organisation, 'id' | 'publicId' | 'label' | 'clientSecret'> & { clientSecret: Uint8Array; account: { publicId: string; name: string } }

const toOrganisation = ({ account: { publicId, name }, clientSecret, ...row }: Row): Organisation => ({
  ...row,
  clientSecret: Buffer.from(clientSecret),
  id: toProviderId(publicId),
  publicId,
  label: name === '' ? 'single sign-on' : name,
})

/** Returns the organisation with a provider id. Null if the account is unknown, closed or blocked, or has no provider. */
export async function findOrganisation(db: Db, providerId: string): Promise<Organisation | null> {
  if (!providerIdForm.test(providerId)) return null
  const account = { publicId: providerId.slice(start.length), closedAt: null, state: { not: 'blocked' } } as const
  const row = await db.singleSignOn.findFirst({ where: { account }, select })
  return row && toOrganisation(row)
}

/** Returns the id, label and provider host for an organisation's sign-in button. */
export const toButton = ({ id, label, issuer }: Organisation) => ({ id, label, host: new URL(issuer).host })

const maxOrganisations = 100

/** Organisation that a user has access to. The provider of a blocked organisation can't be used to sign in. */
type OwnOrganisation = Organisation & { readonly isLinked: boolean; readonly isBlocked: boolean }

/** Returns the organisations with a provider that a person has access to, and whether their login is linked. */
export async function findOwnOrganisations(db: Db, memberId: number): Promise<OwnOrganisation[]> {
  const access = { OR: [{ id: memberId }, { ownerId: memberId }, { members: { some: { memberId } } }] }
  const rows = await db.singleSignOn.findMany({
    where: { account: { closedAt: null, ...access } },
    orderBy: { accountId: 'asc' },
    take: maxOrganisations,
    select: { ...select, identities: { where: { memberId }, take: 1, select: { memberId: true } } },
  })
  const own = rows.find(({ accountId }) => accountId === memberId)
  // A user who has transferred their account may no longer have access to it.
  const hasOwn = own !== undefined && (await readRole(db, own.account, memberId)) !== null
  return rows
    .filter(({ accountId }) => accountId !== memberId || hasOwn)
    .map(({ identities, ...row }) => ({ ...toOrganisation(row), isLinked: identities.length > 0, isBlocked: row.account.state === 'blocked' }))
}

/** A person who linked their login. */
export type LinkedPerson = { readonly publicId: string; readonly state: 'review' | 'open' | 'blocked'; readonly role: Role }

/** Returns the person who linked an identity of an organisation's provider, if they still have access to its account. */
export async function findLinkedPerson(db: Db, { accountId, issuer }: Organisation, subject: string): Promise<LinkedPerson | null> {
  const where = { accountId_issuer_subject: { accountId, issuer, subject } }
  const person = { select: { id: true, publicId: true, state: true, closedAt: true } } as const
  const account = { select: { id: true, ownerId: true } } as const
  const row = await db.linkedSignIn.findUnique({ where, select: { member: person, singleSignOn: { select: { account } } } })
  if (row === null || row.member.closedAt !== null) return null
  const role = await readRole(db, row.singleSignOn.account, row.member.id)
  return role && { publicId: row.member.publicId, state: row.member.state, role }
}
