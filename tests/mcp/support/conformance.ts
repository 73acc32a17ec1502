import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Revision = '2025-11-25' | '2026-07-28'

/** Report of the suite: the scenarios that ran, and the status of each check by `scenario:check`. */
export type Verdicts = { readonly scenarios: ReadonlySet<string>; readonly checks: ReadonlyMap<string, string> }

const limitMs = 120_000

/** Finds the installed suite. @throws Error if it is missing, so that a missing suite isn't mistaken for a pass. */
function suite(): { bin: string; version: string } {
  const manifest = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))
  const { bin, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { conformance: string }; version: string }
  return { bin: join(dirname(manifest), bin.conformance), version }
}

/** Returns the server scenarios that a revision requires. The set was fixed when the revision was released. */
export function requiredScenarios(revision: Revision): string[] {
  const text = readFileSync(join(dirname(suite().bin), '..', 'requirements', `${revision}.yaml`), 'utf8')
  const server = /^server:\n((?:[ #-].*\n|\n)*)/m.exec(text)?.[1] ?? ''
  return [...server.matchAll(/^ *- ([\w-]+)/gm)].map(([, name]) => name ?? '')
}

const severity = ['SUCCESS', 'INFO', 'SKIPPED', 'WARNING', 'FAILURE']

/** Runs all server checks of a revision over HTTP. */
export async function runConformance(url: string, revision: Revision): Promise<Verdicts> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-conformance-'))
  try {
    const options = ['server', '--url', url, '--requirements', revision, '--output-dir', folder]
    const child = spawn(process.execPath, [suite().bin, ...options], { cwd: folder, stdio: 'ignore', timeout: limitMs })
    await once(child, 'exit')
    const checks = new Map<string, string>()
    const scenarios = new Set<string>()
    for (const name of readdirSync(folder)) {
      const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
      scenarios.add(scenario)
      const found = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as { id: string; status: string }[]
      for (const { id, status } of found) {
        const check = `${scenario}:${id}`
        // If a check is repeated, its worst result counts.
        if (severity.indexOf(status) >= severity.indexOf(checks.get(check) ?? 'SUCCESS')) checks.set(check, status)
      }
    }
    return { scenarios, checks }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const suiteVersion = (): string => suite().version
