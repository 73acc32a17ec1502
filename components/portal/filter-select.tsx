import type { ReactNode } from 'react'
import { Select } from '#components/ui/select.tsx'

export type Option = { readonly value: string; readonly name: string }

export const filterBox = 'h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-2 text-base sm:h-9 sm:text-table'

type LabelledProps = {
  label: string
  /** True if the value is clear without its label, which is then for screen readers only. */
  isPlain?: boolean
  children: ReactNode
}

/** Label above a filter. */
export function Labelled({ label, isPlain = false, children }: LabelledProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is passed as a child
    <label className="flex min-w-0 flex-col gap-1">
      <span className={`text-note font-medium ${isPlain ? 'sr-only' : ''}`}>{label}</span>
      {children}
    </label>
  )
}

type Props = {
  label: string
  /** Name of the option that matches everything. */
  any: string
  value: string | null
  options: readonly Option[]
  onChoose: (value: string | null) => void
}

/** Filter that applies as soon as an option is chosen. */
export function FilterSelect({ label, any, value, options, onChoose }: Props) {
  return (
    <Labelled label={label} isPlain>
      <Select value={value ?? ''} onChange={(event) => onChoose(event.currentTarget.value || null)} className={filterBox}>
        <option value="">{any}</option>
        {value === null || options.some((option) => option.value === value) ? null : <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </Select>
    </Labelled>
  )
}

/** Statuses and groups of statuses to filter by. */
export const statusOptions = (statuses: readonly number[]): Option[] => [
  { value: '2xx', name: 'Success (2xx)' },
  { value: 'failed', name: 'Errors (4xx, 5xx)' },
  { value: '4xx', name: 'Client errors (4xx)' },
  { value: '5xx', name: 'Server errors (5xx)' },
  ...statuses.map((status) => ({ value: String(status), name: String(status) })),
]
