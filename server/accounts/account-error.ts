/** Thrown if an account can't be created or changed as requested. The message says what to do. */
export class AccountError extends Error {
  override name = 'AccountError'
}
