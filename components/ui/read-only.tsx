'use client'

import { createContext, type ReactNode, useContext } from 'react'

const ReadOnlyContext = createContext(false)

/** Whether forms can only be looked at. */
export const useReadOnly = (): boolean => useContext(ReadOnlyContext)

/** Says once for all forms that stand in it whether they can only be looked at. What they would do is refused by the server in any case. */
export function ReadOnly({ isOn, children }: { isOn: boolean; children: ReactNode }) {
  return <ReadOnlyContext value={isOn}>{children}</ReadOnlyContext>
}
