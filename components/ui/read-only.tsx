'use client'

import { createContext, type ReactNode, useContext } from 'react'

const ReadOnlyContext = createContext(false)

/** Returns whether forms are read-only. */
export const useReadOnly = (): boolean => useContext(ReadOnlyContext)

/** Makes all forms inside read-only. The server rejects their actions in any case. */
export function ReadOnly({ isOn, children }: { isOn: boolean; children: ReactNode }) {
  return <ReadOnlyContext value={isOn}>{children}</ReadOnlyContext>
}
