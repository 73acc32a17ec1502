'use client'

import { useEffect, useRef } from 'react'
import type { FieldFaults } from '#server/api/contract/field-errors.ts'

/** Prefixes the page title with "Error:", as screen readers announce the title first. */
function useErrorTitle(isFaulty: boolean): void {
  useEffect(() => {
    if (!isFaulty) return
    const title = document.title
    document.title = `Error: ${title.replace(/^Error: /, '')}`
    return () => {
      document.title = title
    }
  }, [isFaulty])
}

type Props = {
  faults: FieldFaults
  /** Number of submissions. Every response moves the focus here again, even with the same errors. */
  attempt?: number
  /** Prefix of the field ids. */
  prefix?: string
}

/** Error summary above a form. Takes the focus; each error links to its field. */
export function FaultSummary({ faults, attempt = 0, prefix = '' }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const lines = Object.entries(faults)
  useErrorTitle(lines.length > 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every response moves the focus here, even with the same errors
  useEffect(() => box.current?.focus(), [attempt])
  if (lines.length === 0) return null
  return (
    <div ref={box} tabIndex={-1} role="alert" aria-labelledby={`${prefix}summary`} className="mb-6 rounded-panel border-2 border-danger px-4 py-3">
      <h2 id={`${prefix}summary`} className="font-semibold">
        There is a problem
      </h2>
      <ul className="mt-1">
        {lines.map(([field, fault]) => (
          <li key={field}>
            {field === 'form' ? (
              <span className="font-medium text-danger">{fault}</span>
            ) : (
              <a href={`#${prefix}${field}`} className="inline-block py-0.5 font-medium text-danger underline underline-offset-3 hover:decoration-2">
                {fault}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
