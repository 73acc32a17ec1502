const longest = 160

/** A value in one short line. */
function words(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

const fieldsOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {})

/** What a change made of what, a line a field; fields that stayed as they were are left out. */
export function Difference({ before, after }: { before: unknown; after: unknown }) {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
  if (names.length === 0) return null
  return (
    <ul className="text-note text-ink-2">
      {names.map((name) => (
        <li key={name} className="wrap-anywhere">
          {name}:{' '}
          {name in old ? (
            <>
              <del className="no-underline">{words(old[name])}</del> →{' '}
            </>
          ) : null}
          <ins className="text-ink no-underline">{words(now[name])}</ins>
        </li>
      ))}
    </ul>
  )
}
