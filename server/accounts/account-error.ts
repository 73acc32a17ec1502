/** An account cannot be made or changed as asked; the message says what to do. */
export class AccountError extends Error {
  override name = 'AccountError'
}
