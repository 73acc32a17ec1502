/** Roles of members, from most to least access. The owner is not a member. */
export const memberRoles = ['developer', 'billing', 'read_only'] as const

export type MemberRole = (typeof memberRoles)[number]

export type Role = 'owner' | MemberRole

export const roleNames: Readonly<Record<Role, string>> = { owner: 'owner', developer: 'developer', billing: 'billing', read_only: 'read-only' }

/** Returns the name of an account; its email if it has none. */
export const toLabel = ({ name, email }: { readonly name: string; readonly email: string }): string => (name === '' ? email : name)

/** Header with the account that a portal page shows, so that the page can't change a different account after a switch in another tab. */
export const accountHeader = 'x-portal-account'

/** Message for a single sign-on session that tries an action reserved for the owner's own sign-in. */
export const ownSignInFault = 'You signed in with single sign-on. To do this, sign out and sign back in with your password or another connected account.'

/** Message for a single sign-on session that tries to view or change the user's own sign-in. */
export const limitedFault =
  'You signed in with single sign-on, which gives access to this account only. To change your login details, sign out and sign back in with your password or another connected account.'
