import { readTestKey } from './test-key.ts'

/** What the service answered to a call of the console. */
export type ConsoleAnswer = {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly tookMs: number
}

const waitMs = 20_000

async function withKey(target: string, key: string): Promise<ConsoleAnswer> {
  const started = performance.now()
  const response = await fetch(`/v1${target}`, { headers: { Authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(waitMs), cache: 'no-store' })
  const body = await response.text()
  return { status: response.status, headers: [...response.headers], body, tookMs: Math.round(performance.now() - started) }
}

async function withoutKey(target: string): Promise<ConsoleAnswer> {
  const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ target }), signal: AbortSignal.timeout(waitMs) }
  const response = await fetch('/console/call', sent)
  if (!response.ok) throw new Error(`The console answered ${response.status}.`)
  return (await response.json()) as ConsoleAnswer
}

/** Makes a call: with the test key of this tab when there is one, else on sample data by the service's own. */
export function callFromConsole(target: string): Promise<ConsoleAnswer> {
  const key = readTestKey()
  return key === null ? withoutKey(target) : withKey(target, key)
}
