import manifest from '../../package.json' with { type: 'json' }
import { withConnection } from './connection.store.ts'
import { type BackupTable, headName, jsonOf, type Manifest, manifestName, partName, type TableSum } from './manifest.ts'
import { type Moment, openMoment } from './moment.store.ts'
import { TableSummer } from './table-sum.ts'
import { tarEnd, tarEntry } from './tar.ts'
import { refuseTaken, writeWhole } from './write-whole.ts'

/** How much of a table is held in memory and becomes one part. */
const partBytes = 4 * 1024 * 1024

/** Hears of the table that is read and how many of its rows were. */
export type OnTable = (table: string, rows: number) => void

/** The parts of a table. Its sum stands in `sums` when they are all written. */
async function* partsOf(table: BackupTable, { copy, head }: Moment, sums: Record<string, TableSum>, onTable: OnTable): AsyncGenerator<Buffer> {
  const at = Date.parse(head.moment)
  const summer = new TableSummer()
  let [held, heldBytes, part] = [[] as Buffer[], 0, 0]
  const take = () => {
    const body = Buffer.concat(held)
    held = []
    heldBytes = 0
    part += 1
    return tarEntry({ name: partName(table.name, part), body }, at)
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

async function* entriesOf(moment: Moment, written: Manifest, onTable: OnTable): AsyncGenerator<Buffer> {
  const { head } = moment
  const at = Date.parse(head.moment)
  yield tarEntry({ name: headName, body: jsonOf(head) }, at)
  for (const table of head.tables) yield* partsOf(table, moment, written.sums, onTable)
  yield tarEntry({ name: manifestName, body: jsonOf(written) }, at)
  yield tarEnd()
}

export type BackupOptions = {
  /** Whether the log of calls is in it, which is most of a large database; without it only its sums are. */
  readonly withLog?: boolean
  readonly onTable?: OnTable
}

/** Writes every table of the database at `url`, all as of one moment, to the file `out`. Returns what stands in its manifest. */
export async function createBackup(url: string, out: string, { withLog = true, onTable = () => undefined }: BackupOptions = {}): Promise<Manifest> {
  refuseTaken(out)
  return withConnection(url, 'svc backup', async (client) => {
    const moment = await openMoment(client, manifest.version, withLog)
    const written: Manifest = { ...moment.head, sums: {} }
    await writeWhole(out, entriesOf(moment, written, onTable))
    return written
  })
}
