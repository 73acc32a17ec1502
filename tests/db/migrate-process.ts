/** Process that migrates a database and prints the applied migrations. */
import { migrate } from '#server/db/migrate.ts'

const [url = '', folder = ''] = process.argv.slice(2)
const { applied } = await migrate(url, { folder, log: () => undefined })
process.stdout.write(JSON.stringify(applied))
