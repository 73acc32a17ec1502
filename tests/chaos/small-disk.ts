/** Separate disk that can be filled and emptied, if this machine can mount one. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenThisProcessIsGone } from './guard.ts'

export type SmallDisk = Disposable & {
  readonly path: string
  /** Fills the disk to the last byte. */
  fill: () => void
  freeSpace: () => void
}

const piece = Buffer.alloc(1_048_576)

/** Writes until the disk is full. */
function fillUp(file: string): void {
  for (const size of [piece.length, 4_096]) {
    try {
      for (;;) writeFileSync(file, piece.subarray(0, size), { flag: 'a' })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
}

/** Returns null if this process isn't allowed to mount disks. */
export function mountSmallDisk(sizeMb: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'svc-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=755`, 'none', path], { stdio: 'pipe' })
  } catch {
    rmSync(path, { recursive: true })
    return null
  }
  chmodSync(path, 0o755)
  const release = whenThisProcessIsGone('sleep 3; umount -l "$1"; rmdir "$1"', path)
  const ballast = join(path, 'ballast')
  return {
    path,
    fill: () => fillUp(ballast),
    freeSpace: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]: () => {
      execFileSync('umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
      release()
    },
  }
}
