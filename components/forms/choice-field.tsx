'use client'

import type { ComponentProps, ReactNode, Ref } from 'react'
import { useController } from 'react-hook-form'
import { useFieldId, useFormState } from '#components/ui/form-context.tsx'
import { Select } from '#components/ui/select.tsx'
import { box, edge, FieldFrame, type FieldProps, useField, useRegistered } from './field.tsx'

export type Choice = { readonly value: string; readonly label: ReactNode; readonly hint?: ReactNode; readonly isDisabled?: boolean }

type GroupProps = {
  name: string
  legend: string
  hint?: ReactNode
  choices: readonly Choice[]
  chosen?: readonly string[]
  /** Puts short choices without hints next to each other. */
  isGrid?: boolean
}

type InputProps = ComponentProps<'input'>

/** Choices with their hints. `toInput` returns the props that make an input a field of the form. */
function ChoiceSet({ name, legend, hint, choices, isGrid = false, toInput }: Omit<GroupProps, 'chosen'> & { toInput: (value: string) => InputProps }) {
  const { faults } = useFormState()
  const id = useFieldId()(name)
  const fault = faults[name]
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
      <div
        className={
          isGrid ? 'mt-2 grid grid-cols-2 gap-x-4 border-y border-line py-1 sm:grid-cols-3' : 'mt-2 flex flex-col divide-y divide-line border-y border-line'
        }
      >
        {choices.map((choice, index) => (
          <div key={choice.value} className="flex items-start gap-3 py-2.5">
            <input
              // The error summary links to the first choice.
              id={index === 0 ? id : `${id}-${choice.value}`}
              {...toInput(choice.value)}
              value={choice.value}
              disabled={choice.isDisabled}
              aria-describedby={choice.hint === undefined ? undefined : `${id}-${index}-hint`}
              className="mt-0.5 size-5 shrink-0"
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

/** Radio buttons, each with an optional hint. */
export function RadioGroup({ chosen = [], ...props }: GroupProps) {
  const registered = useRegistered(props.name)
  return <ChoiceSet {...props} toInput={(value) => ({ ...registered, type: 'radio', defaultChecked: chosen.includes(value) })} />
}

/** Checkboxes, each with an optional hint. The value is the list of the ticked ones, in the order of the choices. */
export function CheckboxGroup({ chosen = [], ...props }: GroupProps) {
  const { field } = useController({ name: props.name, defaultValue: [...chosen] })
  const ticked: readonly string[] = field.value
  const toggle = (value: string, isTicked: boolean) =>
    field.onChange(props.choices.map((choice) => choice.value).filter((one) => (one === value ? isTicked : ticked.includes(one))))
  return (
    <ChoiceSet
      {...props}
      toInput={(value) => ({
        name: field.name,
        type: 'checkbox',
        checked: ticked.includes(value),
        onChange: ({ target }) => toggle(value, target.checked),
        onBlur: field.onBlur,
      })}
    />
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
      <Select
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
      </Select>
    </FieldFrame>
  )
}
