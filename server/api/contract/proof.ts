/** Method of re-authentication: password, second-factor code, or sign-in at the identity provider. */
export type Proof = 'password' | 'code' | 'provider'
