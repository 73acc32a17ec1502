import { memo } from 'react'
import { Words } from '#components/ui/phrase.tsx'

export type ConsoleParameter = {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly isRequired: boolean
  readonly hint: string
  readonly values: readonly string[]
  readonly example: string
}

const box = 'mt-1 h-11 w-full rounded-control border border-line-strong bg-surface px-2.5 text-[1rem] sm:text-body'

type Props = { parameter: ConsoleParameter; value: string; onChange: (name: string, value: string) => void }

/** Field for one parameter of a call. */
export const ConsoleField = memo(function ConsoleField({ parameter, value, onChange }: Props) {
  const { name, isRequired, hint, values, example } = parameter
  const shared = { id: `field-${name}`, name, value, 'aria-describedby': `hint-${name}` }
  return (
    <div>
      <label htmlFor={`field-${name}`}>
        <code className="font-mono text-table font-medium">{name}</code>
        {isRequired ? null : <span className="text-note text-ink-3"> (optional)</span>}
      </label>
      <p id={`hint-${name}`} className="text-note text-pretty wrap-anywhere text-ink-2">
        <Words text={hint} />
        {example === '' || example === value || values.length > 0 ? null : ` For example ${example}.`}
      </p>
      {values.length === 0 ? (
        <input {...shared} onChange={(event) => onChange(name, event.target.value)} autoComplete="off" spellCheck={false} className={box} />
      ) : (
        <select {...shared} onChange={(event) => onChange(name, event.target.value)} className={box}>
          {isRequired ? null : <option value="">Not set</option>}
          {values.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      )}
    </div>
  )
})
