import { readTestKey } from './test-key.ts'

/** Response to a call made from the console. */
export type ConsoleAnswer = {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly tookMs: number
}

/** Key of the account to call with, and the maximum cost shown on the button. */
export type OwnKeyCall = { readonly keyId: string; readonly maxCredits: number }

/** The console did not make the call. The message says why. */
export class NoCallError extends Error {
  override name = 'NoCallError'
}

const timeoutMs = 20_000

async function callWithTabKey(target: string, key: string): Promise<ConsoleAnswer> {
  const started = performance.now()
  const response = await fetch(`/v1${target}`, { headers: { Authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(timeoutMs), cache: 'no-store' })
  const body = await response.text()
  return { status: response.status, headers: [...response.headers], body, tookMs: Math.round(performance.now() - started) }
}

const isExplained = (status: number) => status >= 400 && status < 500

async function callThroughConsole(target: string, own: OwnKeyCall | null): Promise<ConsoleAnswer> {
  const body = JSON.stringify({ target, ...own })
  const response = await fetch('/console/call', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (isExplained(response.status)) throw new NoCallError(((await response.json()) as { message: string }).message)
  if (!response.ok) throw new Error(`The console returned ${response.status}.`)
  return (await response.json()) as ConsoleAnswer
}

/** Makes a call with the chosen account key. Without one, calls sample data, using this tab's test key if there is one. */
export function callFromConsole(target: string, own: OwnKeyCall | null): Promise<ConsoleAnswer> {
  const key = own === null ? readTestKey() : null
  return key === null ? callThroughConsole(target, own) : callWithTabKey(target, key)
}

/** Returns a response header, or null. */
export function headerNamed({ headers }: ConsoleAnswer, name: string): string | null {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null
}
