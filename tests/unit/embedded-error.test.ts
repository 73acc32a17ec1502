import { expect, test } from 'vitest'
import { fileFault, outputFault } from '#server/db/embedded-error.ts'

const failed = (code: string) => Object.assign(new Error(`${code}: something, write`), { code })
const full = 'The disk that contains /data is full. Free some space (about 200 MB is needed) and start again.'

test.each([
  ['ENOSPC', 'disk-full', full],
  ['EDQUOT', 'disk-full', full],
  ['EACCES', 'not-writable', 'The data folder /data is not writable. Give this user write access or set DATA_DIR to another folder.'],
  ['EROFS', 'not-writable', 'The data folder /data is on a read-only disk. Set DATA_DIR to a writable folder.'],
  ['ENOTDIR', 'not-writable', '/data (or a part of its path) is a file, not a folder. Remove the file or set DATA_DIR to a folder.'],
])('explains a file operation that fails with %s in one line', (code, fault, message) => {
  expect(fileFault(failed(code), '/data')).toMatchObject({ fault, message })
})

test('returns an error that already has an explanation unchanged, and keeps the message of an unknown error', () => {
  const known = fileFault(failed('ENOSPC'), '/data')
  expect(fileFault(known, '/elsewhere')).toBe(known)
  expect(fileFault(failed('EIO'), '/data')).toMatchObject({ fault: 'start-failed', message: expect.stringContaining('EIO') })
})

test.each([
  // Output of initdb and postgres, including the lines that follow the error.
  ['initdb: error: could not write to file "/data/pgdata/base/1": No space left on device\ninitdb: removing data directory "/data/pgdata"', 'disk-full', full],
  ['PANIC:  could not write to file "pg_wal/xlogtemp.9": No space left on device\nLOG:  startup process was terminated', 'disk-full', full],
  ['FATAL:  could not extend file "base/5/1259": Disk quota exceeded\nHINT:  Check free disk space.', 'disk-full', full],
  ['FATAL:  data directory "/data/pgdata" has wrong ownership', 'other-owner', expect.stringContaining('has wrong ownership')],
  ['FATAL:  database files are incompatible with server', 'wrong-version', expect.stringContaining('another version of PostgreSQL')],
  ['postgres: error while loading shared libraries: libicu.so: cannot open shared object file', 'no-binaries', expect.stringContaining('Delete node_modules')],
  ['LOG:  starting\nFATAL:  the moon is full\nLOG:  database system is shut down', 'start-failed', 'PostgreSQL did not start: the moon is full.'],
])('explains the PostgreSQL output in one line: %s', (output, fault, message) => {
  expect(outputFault(output, { folder: '/data' })).toMatchObject({ fault, message })
})
