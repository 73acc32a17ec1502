'use client'

import { createContext, useContext } from 'react'
import { type FormState, untouched } from '#components/forms/form-state.ts'

export const StateContext = createContext<FormState>(untouched)

/** Returns the state of the form around a field. */
export const useFormState = (): FormState => useContext(StateContext)

export const PrefixContext = createContext('')

/** Returns a function that makes the id of a field, for its label, its fault and the summary. */
export function useFieldId(): (field: string) => string {
  const prefix = useContext(PrefixContext)
  return (field) => `${prefix}${field}`
}
