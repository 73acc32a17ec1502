import { memo, type ReactNode } from 'react'

type Props = { value: unknown; name?: string; isLast?: boolean; depth?: number }

/** Rough height of a line, for rows that the browser hasn't laid out yet. */
const lineRem = 1.25
const maxEstimate = 40
/** Depth of the rows of a list, inside `data`. */
const rowDepth = 2

function Scalar({ value }: { value: unknown }) {
  const text = JSON.stringify(value)
  return <span className={typeof value === 'string' ? 'text-code-value' : 'font-medium'}>{text}</span>
}

const toName = (name: string | undefined): ReactNode => (name === undefined ? null : <span className="text-ink-2">{`${JSON.stringify(name)}: `}</span>)

/** Describes the content of a collapsed object or list. Rendered by CSS, so that it is not part of the text. */
const describe = (count: number, isList: boolean) =>
  ` ${count} ${isList ? (count === 1 ? 'item' : 'items') : count === 1 ? 'field' : 'fields'} ${isList ? ']' : '}'}`

/** Returns the items of a list or the fields of an object, with their names. Empty for anything else. */
function getEntries(value: unknown): readonly (readonly [name: string | undefined, value: unknown])[] {
  if (Array.isArray(value)) return value.map((one) => [undefined, one])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** Collapsible JSON. Its text is the JSON itself. Works without JavaScript, and the browser lays out only the rows that are visible. */
export const JsonTree = memo(function JsonTree({ value, name, isLast = true, depth = 0 }: Props) {
  const entries = getEntries(value)
  const end = isLast ? '\n' : ',\n'
  if (entries.length === 0) {
    return (
      <div className="pl-[2ch] -indent-[2ch]">
        {toName(name)}
        <Scalar value={value} />
        {end}
      </div>
    )
  }
  const isList = Array.isArray(value)
  const isRow = depth === rowDepth
  return (
    <details
      open
      className={`json-node ${isRow ? '-ml-3 pl-3 [content-visibility:auto]' : ''}`}
      style={isRow ? { containIntrinsicHeight: `auto ${Math.min(entries.length + 2, maxEstimate) * lineRem}rem` } : undefined}
    >
      <summary data-folded={describe(entries.length, isList) + (isLast ? '' : ',')}>
        {toName(name)}
        {isList ? '[' : '{'}
      </summary>
      <div className="pl-[2ch]">
        {entries.map(([key, one], at) => (
          <JsonTree key={key ?? at} {...(key === undefined ? {} : { name: key })} value={one} isLast={at === entries.length - 1} depth={depth + 1} />
        ))}
      </div>
      {isList ? ']' : '}'}
      {end}
    </details>
  )
})
