import { memo } from 'react'
import { rangeText, ValueList } from '#components/docs/value-list.tsx'
import { Words } from '#components/ui/phrase.tsx'
import { Select } from '#components/ui/select.tsx'
import type { CallParameter } from './call-endpoint.ts'

const box =
  'h-10 w-full rounded-control border border-line-strong bg-surface px-2.5 font-mono text-[1rem] placeholder:text-ink-3 aria-invalid:border-danger aria-invalid:ring-1 aria-invalid:ring-danger max-lg:h-11 sm:text-table'

/** Number of allowed values shown as text. The select lists all of them. */
const valuesShown = 5

type FieldProps = {
  parameter: CallParameter
  value: string
  /** Error of the API about this value; null if there is none. */
  fault: string | null
  /** False for an endpoint that can't be called yet, which has no fields. */
  hasField: boolean
  onChange: (name: string, value: string) => void
}

function Field({ parameter: { name, isRequired, values, example }, value, fault, onChange }: FieldProps) {
  const shared = {
    id: `field-${name}`,
    name,
    value,
    'aria-describedby': fault === null ? `about-${name}` : `fault-${name} about-${name}`,
    'aria-invalid': fault === null ? undefined : true,
    className: box,
  } as const
  if (values.length === 0) {
    return (
      <input
        {...shared}
        onChange={(event) => onChange(name, event.target.value)}
        placeholder={example === '' ? undefined : example}
        autoComplete="off"
        spellCheck={false}
      />
    )
  }
  return (
    <Select
      {...shared}
      className={`${box} ${value === '' ? 'font-sans! text-ink-3 [&>option]:text-ink' : ''}`}
      onChange={(event) => onChange(name, event.target.value)}
    >
      {isRequired ? null : <option value="">Not set</option>}
      {/* Keeps a value from the URL that isn't allowed, so that the API can explain the error. */}
      {value === '' || values.includes(value) ? null : <option value={value}>{value}</option>}
      {values.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </Select>
  )
}

/** Documentation of one parameter, with its field. Only the edited parameter is rendered again. */
export const ParameterField = memo(function ParameterField(props: FieldProps) {
  const { parameter, fault, hasField } = props
  const { name, in: where, type, range, isRequired, description, values } = parameter
  const label = <code className="font-mono text-table font-medium wrap-anywhere">{name}</code>
  const facts = [where === 'path' ? 'path' : '', type].filter((text) => text !== '').join(' · ')
  return (
    <div className="grid gap-x-5 gap-y-2 border-b border-line py-3.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,12rem)]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          {hasField ? <label htmlFor={`field-${name}`}>{label}</label> : label}
          <span className="text-note text-ink-3">{facts}</span>
          {isRequired ? <span className="text-note font-medium text-caution">required</span> : null}
        </p>
        <p id={`about-${name}`} className="mt-0.5 text-table text-pretty wrap-anywhere text-ink-2">
          <Words text={description} />
        </p>
        {range === '' ? null : <p className="mt-1 text-note text-ink-3">{rangeText(range)}</p>}
        {values.length === 0 ? null : (
          <p className="mt-1 text-note text-ink-3">
            <ValueList values={values} {...(hasField ? { shown: valuesShown } : {})} />
          </p>
        )}
      </div>
      {hasField ? (
        <div>
          <Field {...props} />
          {fault === null ? null : (
            <p id={`fault-${name}`} className="mt-1 text-note text-pretty wrap-anywhere text-danger">
              {fault}
            </p>
          )}
        </div>
      ) : null}
    </div>
  )
})
