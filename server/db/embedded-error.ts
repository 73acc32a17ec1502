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

const diskFull = (folder: string) => `The disk that contains ${folder} is full. Free some space (about 200 MB is needed) and start again.`
const notWritable = (folder: string) => `The data folder ${folder} is not writable. Give this user write access or set DATA_DIR to another folder.`
const notFolder = (folder: string) => `${folder} (or a part of its path) is a file, not a folder. Remove the file or set DATA_DIR to a folder.`

/** Explanations of failed file operations, by error code. */
const fileFaults: Readonly<Record<string, readonly [EmbeddedFault, (folder: string) => string]>> = {
  ENOSPC: ['disk-full', diskFull],
  EDQUOT: ['disk-full', diskFull],
  EACCES: ['not-writable', notWritable],
  EPERM: ['not-writable', notWritable],
  EROFS: ['not-writable', (folder) => `The data folder ${folder} is on a read-only disk. Set DATA_DIR to a writable folder.`],
  EEXIST: ['not-writable', notFolder],
  ENOTDIR: ['not-writable', notFolder],
}

/** Converts a failed file operation below `folder` into a one-line error. Unknown errors keep their message. */
export function fileFault(error: unknown, folder: string): EmbeddedError {
  if (error instanceof EmbeddedError) return error
  const unknown = () => `Cannot use the data folder ${folder} (${getMessage(error)}). Repair it or set DATA_DIR to another folder.`
  const [fault, explain] = fileFaults[getCode(error)] ?? ['start-failed', unknown]
  return new EmbeddedError(fault, explain(folder), { cause: error })
}

/** Explanations of the output of initdb and postgres. `complaint` is the line that names the problem. */
const outputFaults: readonly (readonly [RegExp, EmbeddedFault, (folder: string, complaint: string) => string])[] = [
  [/No space left on device|Disk quota exceeded/i, 'disk-full', diskFull],
  [
    /Permission denied|has wrong ownership|Operation not permitted/i,
    'other-owner',
    (folder, complaint) =>
      `PostgreSQL cannot access ${folder} (${complaint}). Change its owner to the user PostgreSQL runs as, or set DATA_DIR to another folder.`,
  ],
  [
    /incompatible with (the )?server|initialized by PostgreSQL version/i,
    'wrong-version',
    (folder) =>
      `The database in ${folder} was created by another version of PostgreSQL. Dump it with that version, or move the folder away to start with an empty database.`,
  ],
  [
    /error while loading shared libraries|cannot open shared object|not found in the same directory/i,
    'no-binaries',
    (_folder, complaint) => `The PostgreSQL binaries are incomplete (${complaint}). Delete node_modules and run 'npm ci'.`,
  ],
]

/** Converts the output of initdb or postgres into a one-line error. */
export function outputFault(output: string, { folder, logFile }: { folder: string; logFile?: string }): EmbeddedError {
  const complaint = lastComplaint(output)
  const [, fault, explain] = outputFaults.find(([pattern]) => pattern.test(output)) ?? []
  if (fault && explain) return new EmbeddedError(fault, explain(folder, complaint))
  return new EmbeddedError('start-failed', `PostgreSQL did not start: ${complaint}${logFile === undefined ? '' : `. See ${logFile} for details`}.`)
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
