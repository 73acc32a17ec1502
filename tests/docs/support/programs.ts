import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs programs of the documentation one after another in one process of their own, and gives what they wrote. @throws Error with what they complained of. */
export function runPrograms(programs: readonly string[], key: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-docs-'))
  try {
    const files = programs.map((code, at) => {
      const file = join(folder, `program-${at}.mts`)
      writeFileSync(file, code)
      return file
    })
    const main = join(folder, 'main.mts')
    writeFileSync(main, files.map((file) => `await import(${JSON.stringify(file)})\n`).join(''))
    const { status, stdout, stderr } = spawnSync(process.execPath, [main], { env: { ...process.env, SVC_API_KEY: key }, encoding: 'utf8', timeout: 100_000 })
    if (status !== 0) throw new Error(stderr)
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes a module of a text and gives what it exports. */
export async function moduleOf<Exports>(code: string): Promise<Exports> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-docs-'))
  try {
    const file = join(folder, 'module.mjs')
    writeFileSync(file, code)
    return (await import(file)) as Exports
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
