import { codeOf, messageOf } from './error-parts.ts'

/** What can go wrong with the embedded PostgreSQL, each told in one line that says what to do next. */
export type EmbeddedFault =
  | 'disk-full'
  | 'no-answer'
  | 'no-binaries'
  | 'no-database'
  | 'not-reachable'
  | 'not-writable'
  | 'other-owner'
  | 'port-taken'
  | 'start-failed'
  | 'wrong-version'

export class EmbeddedError extends Error {
  readonly fault: EmbeddedFault

  constructor(fault: EmbeddedFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EmbeddedError'
    this.fault = fault
  }
}

const diskFull = (folder: string) => `The disk that holds ${folder} is full: free some space (about 200 MB are needed) and start again.`

/** Turns a failed file operation below `folder` into its one line; anything unknown keeps its own message. */
export function fileFault(error: unknown, folder: string): EmbeddedError {
  if (error instanceof EmbeddedError) return error
  const cause = { cause: error }
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new EmbeddedError('disk-full', diskFull(folder), cause)
    case 'EACCES':
    case 'EPERM':
      return new EmbeddedError(
        'not-writable',
        `The data folder ${folder} is not writable: give this user write access or set DATA_DIR to another folder.`,
        cause,
      )
    case 'EROFS':
      return new EmbeddedError('not-writable', `The data folder ${folder} is on a read-only disk: set DATA_DIR to a folder that can be written.`, cause)
    case 'EEXIST':
    case 'ENOTDIR':
      return new EmbeddedError('not-writable', `${folder} (or a part of its path) is a file, not a folder: remove the file or set DATA_DIR to a folder.`, cause)
    default:
      return new EmbeddedError(
        'start-failed',
        `The data folder ${folder} cannot be used (${messageOf(error)}): repair it or set DATA_DIR to another folder.`,
        cause,
      )
  }
}

/** Turns what initdb or postgres printed before it gave up into its one line. */
export function outputFault(output: string, about: { folder: string; logFile?: string }): EmbeddedError {
  if (/No space left on device|Disk quota exceeded/i.test(output)) return new EmbeddedError('disk-full', diskFull(about.folder))
  if (/Permission denied|has wrong ownership|Operation not permitted/i.test(output)) {
    return new EmbeddedError(
      'other-owner',
      `PostgreSQL may not use ${about.folder} (${lastComplaint(output)}): give the folder to the user it runs as, or set DATA_DIR to another folder.`,
    )
  }
  if (/incompatible with (the )?server|initialized by PostgreSQL version/i.test(output)) {
    return new EmbeddedError(
      'wrong-version',
      `The database in ${about.folder} was made by another PostgreSQL: start the version that made it and dump it, or move the folder away to begin empty.`,
    )
  }
  if (/error while loading shared libraries|cannot open shared object|not found in the same directory/i.test(output)) {
    return new EmbeddedError(
      'no-binaries',
      `The PostgreSQL binaries are incomplete (${lastComplaint(output)}): remove node_modules and run the npm command again.`,
    )
  }
  const where = about.logFile === undefined ? '' : `; the whole story is in ${about.logFile}`
  return new EmbeddedError('start-failed', `PostgreSQL did not start: ${lastComplaint(output)}${where}.`)
}

/** The last line that says what is wrong; the lines after it (hints, 'database system is shut down') only follow from it. */
function lastComplaint(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const complaint = lines.findLast((line) => /FATAL|PANIC|error:|ERROR|could not|cannot/.test(line)) ?? lines.at(-1) ?? 'it printed nothing'
  return complaint.replace(/^.*?(FATAL|PANIC|ERROR|LOG|initdb: error|error):\s*/, '').replace(/\.$/, '')
}
