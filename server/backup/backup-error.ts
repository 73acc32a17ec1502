/** The backup can't be created, read or restored. The message says why and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}
