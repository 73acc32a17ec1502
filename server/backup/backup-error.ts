/** Thrown if a backup can't be created, read or restored. The message gives the reason and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}
