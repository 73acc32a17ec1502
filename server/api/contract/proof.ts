/** How an account confirms its identity again: by its password, by a code of its second factor, or by signing in at its provider. */
export type Proof = 'password' | 'code' | 'provider'
