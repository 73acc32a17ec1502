import { seal, unseal } from '../auth/seal.ts'

const purpose = 'webhook secrets'

/** The secret of an endpoint as the database has it, bound to the endpoint. */
export const sealSecret = (key: string, endpoint: string, secret: string): Buffer => seal(key, purpose, endpoint, secret)

/** @throws when it was sealed with another key or for another endpoint. */
export const openSecret = (key: string, endpoint: string, sealed: Buffer): string => unseal(key, purpose, endpoint, sealed)
