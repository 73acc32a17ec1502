import { getCode, getMessage } from './database-errors.ts'

/** Failures of the embedded PostgreSQL. Each is reported in one line that says what to do. */
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

const diskFull = (folder: string) => `The disk that contains ${folder} is full. Free some space (about 200 MB are needed) and start again.`

/** Converts a failed file operation below `folder` into a one-line error. Unknown errors keep their message. */
export function fileFault(error: unknown, folder: string): EmbeddedError {
  if (error instanceof EmbeddedError) return error
  const cause = { cause: error }
  switch (getCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new EmbeddedError('disk-full', diskFull(folder), cause)
    case 'EACCES':
    case 'EPERM':
      return new EmbeddedError(
        'not-writable',
        `The data folder ${folder} is not writable. Give this user write access or set DATA_DIR to another folder.`,
        cause,
      )
    case 'EROFS':
      return new EmbeddedError('not-writable', `The data folder ${folder} is on a read-only disk. Set DATA_DIR to a writable folder.`, cause)
    case 'EEXIST':
    case 'ENOTDIR':
      return new EmbeddedError('not-writable', `${folder} (or a part of its path) is a file, not a folder. Remove the file or set DATA_DIR to a folder.`, cause)
    default:
      return new EmbeddedError(
        'start-failed',
        `Cannot use the data folder ${folder} (${getMessage(error)}). Repair it or set DATA_DIR to another folder.`,
        cause,
      )
  }
}

/** Converts the output of initdb or postgres into a one-line error. */
export function outputFault(output: string, about: { folder: string; logFile?: string }): EmbeddedError {
  if (/No space left on device|Disk quota exceeded/i.test(output)) return new EmbeddedError('disk-full', diskFull(about.folder))
  if (/Permission denied|has wrong ownership|Operation not permitted/i.test(output)) {
    return new EmbeddedError(
      'other-owner',
      `PostgreSQL cannot access ${about.folder} (${lastComplaint(output)}). Change its owner to the user PostgreSQL runs as, or set DATA_DIR to another folder.`,
    )
  }
  if (/incompatible with (the )?server|initialized by PostgreSQL version/i.test(output)) {
    return new EmbeddedError(
      'wrong-version',
      `The database in ${about.folder} was created by another version of PostgreSQL. Dump it with that version, or move the folder away to start with an empty database.`,
    )
  }
  if (/error while loading shared libraries|cannot open shared object|not found in the same directory/i.test(output)) {
    return new EmbeddedError(
      'no-binaries',
      `The PostgreSQL binaries are incomplete (${lastComplaint(output)}). Remove node_modules and run the npm command again.`,
    )
  }
  const where = about.logFile === undefined ? '' : `. See ${about.logFile} for details`
  return new EmbeddedError('start-failed', `PostgreSQL did not start: ${lastComplaint(output)}${where}.`)
}

/** Returns the last line that names the problem. Later lines, such as hints and 'database system is shut down', are only consequences. */
function lastComplaint(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const complaint = lines.findLast((line) => /FATAL|PANIC|error:|ERROR|could not|cannot/.test(line)) ?? lines.at(-1) ?? 'it printed nothing'
  return complaint.replace(/^.*?(FATAL|PANIC|ERROR|LOG|initdb: error|error):\s*/, '').replace(/\.$/, '')
}
