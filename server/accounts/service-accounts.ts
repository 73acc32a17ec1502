/** SQL condition for the service's own accounts. They have an email address that can't exist and no password, so no one can confirm or sign in to them. */
export const isServiceAccount = "email LIKE '%@site.invalid' AND password_hash IS NULL"
