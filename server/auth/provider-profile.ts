/** Who a provider says is there. */
export type ProviderProfile = {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  /** Only what the provider says in so many words counts. */
  readonly isEmailVerified: boolean
  readonly name: string
}
