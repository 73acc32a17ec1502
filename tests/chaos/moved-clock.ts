/** Movable clocks for processes, based on libfaketime and a control file. As on a real machine, only the wall clock moves, never the monotonic clock. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { arch, tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenThisProcessIsGone } from './guard.ts'

const machine = arch() === 'arm64' ? 'aarch64' : 'x86_64'
const library = `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`

/**
 * Folder in which libfaketime keeps shared memory for each process, in files named after its pid. The library removes these files when the process exits, but
 * not when it is killed.
 */
const sharedMemory = '/dev/shm'
const sharedName = /^(?:sem\.)?faketime_(?:sem|shm)_(\d+)$/

const namesOfDead = () => readdirSync(sharedMemory).filter((name) => sharedName.test(name) && !existsSync(`/proc/${sharedName.exec(name)?.[1]}`))

export class MovedClocks implements Disposable {
  private readonly foundBefore = new Set(namesOfDead())
  private readonly folder: string
  private readonly release: () => void

  constructor() {
    if (!existsSync(library)) throw new Error(`${library} is missing: install the Debian package faketime.`)
    this.folder = mkdtempSync(join(tmpdir(), 'svc-clocks-'))
    // PostgreSQL runs as another user and must be able to read the file.
    chmodSync(this.folder, 0o755)
    this.release = whenThisProcessIsGone('rm -rf "$1"', this.folder)
  }

  /** Returns the environment variables for a process that uses the clock with this name. */
  environment(name: string): Record<string, string> {
    this.set(name, 0)
    const file = join(this.folder, name)
    return { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_RESET: '1' }
  }

  /** Sets a clock ahead of or behind the machine's. The file is replaced atomically, so that no process reads a partial one. */
  set(name: string, seconds: number): void {
    const file = join(this.folder, name)
    writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 })
    renameSync(`${file}.new`, file)
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
    for (const name of namesOfDead()) if (!this.foundBefore.has(name)) rmSync(join(sharedMemory, name), { force: true })
    this.release()
  }
}
