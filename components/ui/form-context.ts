'use client'

import { createContext, useContext } from 'react'
import { type FormState, untouched } from '#components/forms/form-state.ts'

export const StateContext = createContext<FormState>(untouched)

/** Returns the state of the form around a field. */
export const useFormState = (): FormState => useContext(StateContext)

export const PrefixContext = createContext('')

/** Returns a function that builds the id of a field, for its label, error and summary link. */
export function useFieldId(): (field: string) => string {
  const prefix = useContext(PrefixContext)
  return (field) => `${prefix}${field}`
}
