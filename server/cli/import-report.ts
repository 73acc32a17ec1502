import type { ImportReport } from '#server/market/import/import-feed.ts'
import { changeKinds, type FieldChange, type RowChange } from '#server/market/import/row-change.ts'

const written = (value: unknown) => (typeof value === 'string' || value === null ? (value ?? 'none') : JSON.stringify(value))

const field = ({ field: name, from, to }: FieldChange) => `${name} ${written(from)} → ${written(to)}`

const row = ({ change, key, fields }: RowChange) => `  ${change.padEnd(9)} ${key}${fields.length > 0 ? `: ${fields.map(field).join(', ')}` : ''}`

/** The rows that are told one by one, and how many of each kind of change are not. */
function rows(report: ImportReport): string[] {
  return changeKinds.flatMap((change) => {
    const told = report.changes.filter((one) => one.change === change)
    const more = report[change] - told.length
    return told.length > 0 && more > 0 ? [...told.map(row), `  … and ${more} more ${change}`] : told.map(row)
  })
}

function countsOf({ kind, rows: all, added, changed, restored, withdrawn, unchanged, replaced }: ImportReport): string {
  if (kind === 'rate_history') return `${all} past changes, ${added} added, ${unchanged} known, ${replaced} first sights replaced`
  return `${all} ${kind} rows, ${added} added, ${changed} changed, ${restored} back, ${withdrawn} withdrawn, ${unchanged} unchanged`
}

/** What an import did, in lines for people; a dry run also says what would happen to which row, and whether it would be stopped. */
export function describeImport(report: ImportReport): string[] {
  const line = `${report.fileName}: ${countsOf(report)}${report.dryRun ? ' (dry run: nothing was changed)' : ''}`
  if (!report.dryRun) return [line]
  const stopped = report.needsConfirmation.map((reason) => `  Stopped without --confirm: ${reason}`)
  return [line, ...rows(report), ...stopped]
}
