'use client'

import { type ReactNode, useRef } from 'react'
import { Button } from '#components/ui/button.tsx'
import { AsidePanel } from '#components/ui/columns.tsx'
import { SummaryButton } from '#components/ui/summary-button.tsx'

type Props = {
  /** Consequence of deletion, shown while the form is collapsed. */
  warning: string
  /** Label of the button that shows the form. */
  button: string
  /** Form that deletes the object and names it. */
  children: ReactNode
}

/** Panel that asks for confirmation before something is deleted. */
export function DeletePanel({ warning, button, children }: Props) {
  const box = useRef<HTMLDetailsElement>(null)
  return (
    <AsidePanel id="delete" title="Delete">
      <p className="mb-4 text-note text-pretty text-ink-2">{warning}</p>
      <details ref={box}>
        <SummaryButton kind="danger">{button}</SummaryButton>
        <div className="mt-2 flex flex-wrap items-end gap-3">
          {children}
          <Button kind="second" type="button" onClick={() => box.current?.removeAttribute('open')}>
            Cancel
          </Button>
        </div>
      </details>
    </AsidePanel>
  )
}
