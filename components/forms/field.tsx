'use client'

import { type ReactNode, useContext, useState } from 'react'
import { RegisterContext, useFieldId, useFormState } from '#components/ui/form-context.tsx'

export const box = 'w-full rounded-control border bg-surface px-3 text-base text-ink sm:text-body placeholder:text-ink-3 disabled:bg-sunken disabled:text-ink-3'
export const edge = (isFaulty: boolean): string => (isFaulty ? 'border-2 border-danger' : 'border-line-strong')

export type FieldProps = {
  name: string
  label: string
  hint?: ReactNode
  /** Marks the label as optional. */
  isOptional?: boolean
}

/** Returns the props that make a control a field of the surrounding form. */
export function useRegistered(name: string) {
  return useContext(RegisterContext)?.(name) ?? { name }
}

/** Returns the props that tie a field to its hint and error. */
export function useField(name: string, hint: ReactNode) {
  const { faults, typed } = useFormState()
  const registered = useRegistered(name)
  const id = useFieldId()(name)
  const fault = faults[name]
  const described = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`].filter((part) => part !== '').join(' ')
  return { id, fault, registered, typed: typed[name], described: described === '' ? undefined : described }
}

function Fault({ id, fault }: { id: string; fault: string | undefined }) {
  if (fault === undefined) return null
  return (
    <p id={`${id}-fault`} className="font-medium text-danger">
      <span className="sr-only">Error: </span>
      {fault}
    </p>
  )
}

function Hint({ id, children }: { id: string; children: ReactNode }) {
  if (children === undefined) return null
  return (
    <p id={`${id}-hint`} className="text-note text-pretty text-ink-2">
      {children}
    </p>
  )
}

function Label({ id, label, isOptional }: { id: string; label: string; isOptional: boolean | undefined }) {
  return (
    <label htmlFor={id} className="font-medium">
      {label}
      {isOptional ? <span className="font-normal text-ink-2"> (optional)</span> : null}
    </label>
  )
}

type FrameProps = Pick<FieldProps, 'label' | 'hint'> & { id: string; isOptional?: boolean | undefined; fault: string | undefined; children: ReactNode }

/** Field with its label, hint and error. */
export function FieldFrame({ id, label, hint, isOptional, fault, children }: FrameProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <Label id={id} label={label} isOptional={isOptional} />
      <Hint id={id}>{hint}</Hint>
      <Fault id={id} fault={fault} />
      {children}
    </div>
  )
}

type TextProps = FieldProps & {
  type?: 'text' | 'email' | 'date' | 'datetime-local'
  autoComplete?: string
  inputMode?: 'text' | 'email' | 'numeric' | 'decimal'
  defaultValue?: string
  /** Width of the input box, matching the expected length of the text. */
  size?: 'full' | 'short'
  isCode?: boolean
  /** Unit in front of the text, such as `£`. The label or the hint names it too. */
  prefix?: string
  /** Values that the browser suggests. */
  suggestions?: readonly string[]
}

export function TextField(props: TextProps) {
  const { name, label, hint, isOptional, type = 'text', autoComplete, inputMode, defaultValue, size = 'full', isCode = false, prefix, suggestions } = props
  const { id, fault, registered, typed, described } = useField(name, hint)
  return (
    <FieldFrame id={id} label={label} hint={hint} isOptional={isOptional} fault={fault}>
      <div className={`relative ${size === 'short' ? 'max-w-48' : ''}`}>
        <input
          id={id}
          {...registered}
          type={type}
          autoComplete={autoComplete}
          inputMode={inputMode}
          defaultValue={typed?.[0] ?? defaultValue}
          aria-describedby={described}
          aria-invalid={fault !== undefined || undefined}
          spellCheck={false}
          autoCapitalize="none"
          list={suggestions === undefined ? undefined : `${id}-suggestions`}
          className={`${box} h-11 ${edge(fault !== undefined)} ${isCode ? 'font-mono' : ''} ${prefix === undefined ? '' : 'pl-6'}`}
        />
        {prefix === undefined ? null : (
          <span aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-base text-ink-2 sm:text-body">
            {prefix}
          </span>
        )}
      </div>
      {suggestions === undefined ? null : (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </FieldFrame>
  )
}

type PasswordProps = FieldProps & { autoComplete: 'current-password' | 'new-password' }

/** Password field with a show/hide button. The value is never sent back to the browser. */
export function PasswordField({ name, label, hint, autoComplete }: PasswordProps) {
  const { id, fault, registered, described } = useField(name, hint)
  const [isShown, setShown] = useState(false)
  return (
    <FieldFrame id={id} label={label} hint={hint} fault={fault}>
      <div className="relative">
        <input
          id={id}
          {...registered}
          type={isShown ? 'text' : 'password'}
          autoComplete={autoComplete}
          aria-describedby={described}
          aria-invalid={fault !== undefined || undefined}
          spellCheck={false}
          autoCapitalize="none"
          className={`${box} h-11 pr-18 ${edge(fault !== undefined)}`}
        />
        <button
          type="button"
          aria-pressed={isShown}
          aria-label={`Show ${label.toLowerCase()}`}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-0 right-0 min-w-16 cursor-pointer rounded-control px-3 text-note font-medium text-ink-2 hover:text-ink noscript:hidden"
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      </div>
    </FieldFrame>
  )
}

export function TextAreaField({
  name,
  label,
  hint,
  isOptional,
  rows = 4,
  defaultValue,
  isCode = false,
}: FieldProps & { rows?: number; defaultValue?: string; isCode?: boolean }) {
  const { id, fault, registered, typed, described } = useField(name, hint)
  return (
    <FieldFrame id={id} label={label} hint={hint} isOptional={isOptional} fault={fault}>
      <textarea
        id={id}
        {...registered}
        rows={rows}
        defaultValue={typed?.[0] ?? defaultValue}
        aria-describedby={described}
        aria-invalid={fault !== undefined || undefined}
        spellCheck={false}
        className={`${box} py-2 ${isCode ? 'font-mono' : ''} ${edge(fault !== undefined)}`}
      />
    </FieldFrame>
  )
}

export function CheckboxField({ name, isChecked = false, children }: { name: string; isChecked?: boolean; children: ReactNode }) {
  const { id, fault, registered, typed, described } = useField(name, undefined)
  return (
    <div className="flex flex-col gap-1.5">
      <Fault id={id} fault={fault} />
      <div className="flex items-start gap-3">
        <input
          id={id}
          {...registered}
          type="checkbox"
          value="yes"
          defaultChecked={typed?.includes('yes') ?? isChecked}
          aria-describedby={described}
          aria-invalid={fault !== undefined || undefined}
          className="mt-0.5 size-5 shrink-0"
        />
        <label htmlFor={id} className="text-pretty">
          {children}
        </label>
      </div>
    </div>
  )
}

/** Value that is submitted with a form but not shown. */
export function HiddenField({ name, value }: { name: string; value: string }) {
  return <input type="hidden" {...useRegistered(name)} value={value} />
}
