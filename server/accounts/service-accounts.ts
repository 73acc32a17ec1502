/**
 * The condition, in SQL, by which the accounts of the service itself are told from all others: they have an address that cannot exist and no password. Nobody
 * can sign in to them, and nobody will ever confirm their address.
 */
export const isServiceAccount = "email LIKE '%@site.invalid' AND password_hash IS NULL"
