/** A process that migrates the database it is given, and says what it did. */
import { migrate } from '#server/db/migrate.ts'

const [url = '', folder = ''] = process.argv.slice(2)
const { applied } = await migrate(url, { folder, log: () => undefined })
process.stdout.write(JSON.stringify(applied))
