const maxLength = 160

/** Formats a value on one line. */
function format(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

const getFields = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {})

/** Changed fields of an audit entry, one per line. Unchanged fields are left out. */
export function Difference({ before, after }: { before: unknown; after: unknown }) {
  const [old, now] = [getFields(before), getFields(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
  if (names.length === 0) return null
  return (
    <ul className="text-note text-ink-2">
      {names.map((name) => (
        <li key={name} className="wrap-anywhere">
          {name}:{' '}
          {name in old ? (
            <>
              <del className="no-underline">{format(old[name])}</del> →{' '}
            </>
          ) : null}
          <ins className="text-ink no-underline">{format(now[name])}</ins>
        </li>
      ))}
    </ul>
  )
}
