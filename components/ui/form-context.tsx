'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { FieldValues, UseFormRegister } from 'react-hook-form'
import { type FormState, untouched } from '#components/forms/form-state.ts'

export const StateContext = createContext<FormState>(untouched)

/** Returns the state of the form that contains the field. */
export const useFormState = (): FormState => useContext(StateContext)

/**
 * Function of react-hook-form that registers a field. Null in forms that the browser or `ProcedureForm` reads, so that their pages don't load the library.
 */
export const RegisterContext = createContext<UseFormRegister<FieldValues> | null>(null)

export const PrefixContext = createContext('')

/** Returns a function that builds the id of a field, for its label, error and summary link. */
export function useFieldId(): (field: string) => string {
  const prefix = useContext(PrefixContext)
  return (field) => `${prefix}${field}`
}

const ReadOnlyContext = createContext(false)

/** Returns true if forms are read-only. */
export const useReadOnly = (): boolean => useContext(ReadOnlyContext)

/** Makes all forms inside it read-only. The server rejects their actions in any case. */
export function ReadOnly({ isOn, children }: { isOn: boolean; children: ReactNode }) {
  return <ReadOnlyContext value={isOn}>{children}</ReadOnlyContext>
}
