/** User profile from an identity provider. */
export type ProviderProfile = {
  readonly issuer: string
  readonly subject: string
  readonly email: string
  /** True only if the provider explicitly says so. */
  readonly isEmailVerified: boolean
  readonly name: string
}
