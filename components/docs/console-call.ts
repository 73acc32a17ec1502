import { readTestKey } from './test-key.ts'

/** What the service answered to a call of the console. */
export type ConsoleAnswer = {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly tookMs: number
}

/** The key of the account that a call is made with, and the most credits that the button said. */
export type OwnKeyCall = { readonly keyId: string; readonly maxCredits: number }

/** The console made no call, and says why. */
export class NoCallError extends Error {
  override name = 'NoCallError'
}

const waitMs = 20_000

async function withTabKey(target: string, key: string): Promise<ConsoleAnswer> {
  const started = performance.now()
  const response = await fetch(`/v1${target}`, { headers: { Authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(waitMs), cache: 'no-store' })
  const body = await response.text()
  return { status: response.status, headers: [...response.headers], body, tookMs: Math.round(performance.now() - started) }
}

const isExplained = (status: number) => status >= 400 && status < 500

async function byConsole(target: string, own: OwnKeyCall | null): Promise<ConsoleAnswer> {
  const body = JSON.stringify({ target, ...own })
  const response = await fetch('/console/call', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    signal: AbortSignal.timeout(waitMs),
  })
  if (isExplained(response.status)) throw new NoCallError(((await response.json()) as { message: string }).message)
  if (!response.ok) throw new Error(`The console answered ${response.status}.`)
  return (await response.json()) as ConsoleAnswer
}

/** Makes a call: with a key of the account when one is chosen; else on sample data, with the test key of this tab when there is one. */
export function callFromConsole(target: string, own: OwnKeyCall | null): Promise<ConsoleAnswer> {
  const key = own === null ? readTestKey() : null
  return key === null ? byConsole(target, own) : withTabKey(target, key)
}

/** The value of a header of an answer. */
export function headerNamed({ headers }: ConsoleAnswer, name: string): string | null {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null
}
