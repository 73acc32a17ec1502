/** SQL condition for the service's own accounts: an address that can't exist, and no password. No one can sign in to them or confirm their address. */
export const isServiceAccount = "email LIKE '%@site.invalid' AND password_hash IS NULL"
