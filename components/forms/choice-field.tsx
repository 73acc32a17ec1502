'use client'

import type { ReactNode, Ref } from 'react'
import { useFieldId, useFormState } from '#components/ui/form-context.tsx'
import { box, edge, FieldFrame, type FieldProps, useField, useRegistered } from './field.tsx'

export type Choice = { readonly value: string; readonly label: ReactNode; readonly hint?: ReactNode; readonly isDisabled?: boolean }

type Props = {
  name: string
  legend: string
  hint?: ReactNode
  choices: readonly Choice[]
  /** Single choice (radio buttons) or multiple choice (checkboxes). */
  kind: 'radio' | 'checkbox'
  chosen?: readonly string[]
}

/** Radio buttons or checkboxes, each with an optional hint. */
export function ChoiceField({ name, legend, hint, choices, kind, chosen = [] }: Props) {
  const { faults, typed } = useFormState()
  const id = useFieldId()(name)
  const registered = useRegistered(name)
  const fault = faults[name]
  // If nothing was chosen, the submitted form didn't contain this field. If the form is shown again with an error, the default must not be preselected.
  const picked = typed[name] ?? (Object.keys(faults).length > 0 ? [] : chosen)
  const described = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`].filter((part) => part !== '').join(' ')
  return (
    <fieldset aria-describedby={described === '' ? undefined : described} className="min-w-0">
      <legend className="font-medium">{legend}</legend>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="mt-1 text-note text-pretty text-ink-2">
          {hint}
        </p>
      )}
      {fault === undefined ? null : (
        <p id={`${id}-fault`} className="mt-1 font-medium text-danger">
          <span className="sr-only">Error: </span>
          {fault}
        </p>
      )}
      <div className="mt-2 flex flex-col divide-y divide-line border-y border-line">
        {choices.map((choice, index) => (
          <div key={choice.value} className="flex items-start gap-3 py-2.5">
            <input
              // The error summary links to the first choice.
              id={index === 0 ? id : `${id}-${choice.value}`}
              {...registered}
              type={kind}
              value={choice.value}
              defaultChecked={picked.includes(choice.value)}
              disabled={choice.isDisabled}
              aria-describedby={choice.hint === undefined ? undefined : `${id}-${index}-hint`}
              className="mt-0.5 size-5 shrink-0 accent-accent"
            />
            <div className="min-w-0">
              <label htmlFor={index === 0 ? id : `${id}-${choice.value}`} className="font-medium">
                {choice.label}
              </label>
              {choice.hint === undefined ? null : (
                <p id={`${id}-${index}-hint`} className="text-note text-pretty text-ink-2">
                  {choice.hint}
                </p>
              )}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  )
}

type SelectOption = { readonly value: string; readonly label: string }

type SelectFieldProps = FieldProps & {
  /** Option listed above all groups. */
  first: SelectOption
  groups: readonly { readonly name: string; readonly choices: readonly SelectOption[] }[]
  defaultValue: string
  ref?: Ref<HTMLSelectElement>
}

/** Native select with grouped options. */
export function SelectField({ name, label, hint, isOptional, first, groups, defaultValue, ref }: SelectFieldProps) {
  const { id, fault, registered, typed, described } = useField(name, hint)
  return (
    <FieldFrame id={id} label={label} hint={hint} isOptional={isOptional} fault={fault}>
      <select
        ref={ref}
        id={id}
        {...registered}
        defaultValue={typed?.[0] ?? defaultValue}
        aria-describedby={described}
        aria-invalid={fault !== undefined || undefined}
        className={`${box} h-11 ${edge(fault !== undefined)}`}
      >
        <option value={first.value}>{first.label}</option>
        {groups.map((group) => (
          <optgroup key={group.name} label={group.name}>
            {group.choices.map(({ value, label: text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </FieldFrame>
  )
}
