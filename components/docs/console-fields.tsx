import { memo } from 'react'
import { Words } from '#components/ui/phrase.tsx'
import { Tag } from '#components/ui/tag.tsx'

export type ConsoleKey = { readonly id: string; readonly mode: 'live' | 'test'; readonly name: string; readonly hint: string }

const displayName = ({ name }: ConsoleKey) => (name === '' ? 'Unnamed key' : name)

const banner = 'mt-4 flex items-baseline gap-2 rounded-panel border px-4 py-2.5'

/** Shows which data the next call reads and who pays. `isOfTab` is true if no account key is chosen and this tab has a test key. */
export function DataBanner({ chosen, isOfTab }: { chosen: ConsoleKey | null; isOfTab: boolean }) {
  if (chosen?.mode === 'live') {
    return (
      <p className={`${banner} border-good bg-surface`}>
        <Tag tone="good">Live</Tag>
        <span>
          Live data, using {displayName(chosen)} <code className="font-mono text-table">{chosen.hint}</code>. Calls use your credits.
        </span>
      </p>
    )
  }
  return (
    <p className={`${banner} border-dashed border-test bg-test-wash text-test`}>
      <Tag tone="test">Test</Tag>
      {chosen === null ? (
        isOfTab ? (
          'Sample data, using the test key stored in this tab. Free.'
        ) : (
          'Sample data with fictional banks. Free.'
        )
      ) : (
        <span>
          Sample data, using {displayName(chosen)} <code className="font-mono text-table">{chosen.hint}</code>. Free.
        </span>
      )}
    </p>
  )
}

function Options({ keys, mode, label }: { keys: readonly ConsoleKey[]; mode: ConsoleKey['mode']; label: string }) {
  const shown = keys.filter((key) => key.mode === mode)
  if (shown.length === 0) return null
  return (
    <optgroup label={label}>
      {shown.map((key) => (
        <option key={key.id} value={key.id}>
          {displayName(key)} {key.hint}
        </option>
      ))}
    </optgroup>
  )
}

type KeyChoiceProps = { keys: readonly ConsoleKey[]; chosen: ConsoleKey | null; isReady: boolean; onChoose: (key: ConsoleKey | null) => void }

/**
 * Select for the key of the next call. It has no `name`, so the key is never submitted or put into a URL, and the browser doesn't restore it: after navigating
 * back, the console uses sample data. Hidden without JavaScript.
 */
export function KeyChoice({ keys, chosen, isReady, onChoose }: KeyChoiceProps) {
  if (keys.length === 0) {
    return (
      <p className="text-note text-ink-2">
        Your account has no active keys.{' '}
        <a className="prose-link" href="/portal/keys/new">
          Create key
        </a>
      </p>
    )
  }
  return (
    <div className="border-b border-line pb-4 noscript:hidden">
      <label htmlFor="call-with" className="font-medium">
        Call with
      </label>
      <select
        id="call-with"
        autoComplete="off"
        disabled={!isReady}
        value={chosen?.id ?? ''}
        onChange={(event) => onChoose(keys.find(({ id }) => id === event.target.value) ?? null)}
        className="mt-1 h-11 w-full rounded-control border border-line-strong bg-surface px-2.5 text-[1rem] sm:text-body"
      >
        <option value="">Sample data (free)</option>
        <Options keys={keys} mode="live" label="Live keys (use credits)" />
        <Options keys={keys} mode="test" label="Test keys (free)" />
      </select>
    </div>
  )
}

export type ConsoleParameter = {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly isRequired: boolean
  readonly hint: string
  readonly values: readonly string[]
  readonly example: string
}

const box = 'mt-1 h-11 w-full rounded-control border border-line-strong bg-surface px-2.5 text-[1rem] sm:text-body'

type FieldProps = { parameter: ConsoleParameter; value: string; onChange: (name: string, value: string) => void }

/** Field for one parameter of a call. */
export const ConsoleField = memo(function ConsoleField({ parameter, value, onChange }: FieldProps) {
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
