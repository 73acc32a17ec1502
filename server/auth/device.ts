import { randomBase62 } from '#server/ids.ts'

/** A browser that has signed in before, and to which accounts. Stored only in an encrypted cookie. */
export type Device = { readonly id: string; readonly accounts: readonly string[] }

const maxAccounts = 8

export const isKnownDevice = (device: Device | null, account: string): boolean => device?.accounts.includes(account) ?? false

/** Adds an account to a device, newest first. */
export function withAccount(device: Device | null, account: string): Device {
  const others = (device?.accounts ?? []).filter((other) => other !== account)
  return { id: device?.id ?? randomBase62(22), accounts: [account, ...others].slice(0, maxAccounts) }
}
