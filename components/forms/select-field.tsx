'use client'

import type { Ref } from 'react'
import { box, edge, FieldFrame, type FieldProps, useField } from './field.tsx'

type Choice = { readonly value: string; readonly label: string }

type Props = FieldProps & {
  /** Option above all groups. */
  first: Choice
  groups: readonly { readonly name: string; readonly choices: readonly Choice[] }[]
  defaultValue: string
  ref?: Ref<HTMLSelectElement>
}

/** Native select with grouped options. */
export function SelectField({ name, label, hint, isOptional, first, groups, defaultValue, ref }: Props) {
  const { id, fault, typed, described } = useField(name, hint)
  return (
    <FieldFrame id={id} label={label} hint={hint} isOptional={isOptional} fault={fault}>
      <select
        ref={ref}
        id={id}
        name={name}
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
