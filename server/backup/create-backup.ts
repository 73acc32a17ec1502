import manifest from '../../package.json' with { type: 'json' }
import { type Moment, openMoment } from './backup-time.store.ts'
import { withConnection } from './connection.store.ts'
import { type BackupTable, getJson, headName, type Manifest, manifestName, partName, type TableSum } from './manifest.ts'
import { TableSummer } from './table-sum.ts'
import { type TarEntry, writeTar } from './tar.ts'
import { refuseTaken, writeWhole } from './write-atomically.ts'

/** Size of a part. Only one part of a table is in memory at a time. */
const partBytes = 4 * 1024 * 1024

/** Receives the table being read and the number of its rows read so far. */
export type OnTable = (table: string, rows: number) => void

/** Yields the parts of a table. Stores the table's checksum in `sums` after the last one. */
async function* readParts(table: BackupTable, { copy }: Moment, sums: Record<string, TableSum>, onTable: OnTable): AsyncGenerator<TarEntry> {
  const summer = new TableSummer()
  let [held, heldBytes, part] = [[] as Buffer[], 0, 0]
  const take = () => {
    const body = Buffer.concat(held)
    held = []
    heldBytes = 0
    part += 1
    return { name: partName(table.name, part), body }
  }
  if (table.leftOut === null) {
    for await (const piece of copy(table) as AsyncIterable<Buffer>) {
      summer.add(piece)
      held.push(piece)
      heldBytes += piece.length
      if (heldBytes < partBytes) continue
      onTable(table.name, summer.rows)
      yield take()
    }
  }
  if (heldBytes > 0) yield take()
  sums[table.name] = summer.sum()
}

async function* toEntries(moment: Moment, written: Manifest, onTable: OnTable): AsyncGenerator<TarEntry> {
  const { head } = moment
  yield { name: headName, body: getJson(head) }
  for (const table of head.tables) yield* readParts(table, moment, written.sums, onTable)
  yield { name: manifestName, body: getJson(written) }
}

export type BackupOptions = {
  /** Includes the request log, which makes up most of a large database. Without it, only its totals are included. */
  readonly withLog?: boolean
  readonly onTable?: OnTable
}

/** Writes all tables of the database at `url`, as of one point in time, to the file `out`. Returns the manifest. */
export async function createBackup(url: string, out: string, { withLog = true, onTable = () => undefined }: BackupOptions = {}): Promise<Manifest> {
  refuseTaken(out)
  return withConnection(url, 'svc backup', async (client) => {
    const moment = await openMoment(client, manifest.version, withLog)
    const written: Manifest = { ...moment.head, sums: {} }
    await writeWhole(out, writeTar(toEntries(moment, written, onTable), Date.parse(moment.head.moment)))
    return written
  })
}
