import type { ImportReport } from '#server/market/import/import-feed.ts'
import { changeKinds, type FieldChange, type RowChange } from '#server/market/import/row-change.ts'

const written = (value: unknown) => (typeof value === 'string' || value === null ? (value ?? 'none') : JSON.stringify(value))

const field = ({ field: name, from, to }: FieldChange) => `${name} ${written(from)} → ${written(to)}`

const row = ({ change, key, fields }: RowChange) => `  ${change.padEnd(9)} ${key}${fields.length > 0 ? `: ${fields.map(field).join(', ')}` : ''}`

/** Lists individual changes, and the number of further changes by kind. */
function rows(report: ImportReport): string[] {
  return changeKinds.flatMap((change) => {
    const listed = report.changes.filter((one) => one.change === change)
    const more = report[change] - listed.length
    return listed.length > 0 && more > 0 ? [...listed.map(row), `  … and ${more} more ${change}`] : listed.map(row)
  })
}

function getCounts({ kind, rows: all, added, changed, restored, withdrawn, unchanged, replaced }: ImportReport): string {
  if (kind === 'rate_history') return `${all} past changes, ${added} added, ${unchanged} known, ${replaced} first observations replaced`
  return `${all} ${kind} rows, ${added} added, ${changed} changed, ${restored} restored, ${withdrawn} withdrawn, ${unchanged} unchanged`
}

/** Describes an import in human-readable lines. A dry run also lists the changed rows, and whether it would be stopped. */
export function describeImport(report: ImportReport): string[] {
  const line = `${report.fileName}: ${getCounts(report)}${report.dryRun ? ' (dry run, nothing was changed)' : ''}`
  if (!report.dryRun) return [line]
  const stopped = report.needsConfirmation.map((reason) => `  Stopped without --confirm: ${reason}`)
  return [line, ...rows(report), ...stopped]
}
