'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = {
  isOpen: boolean
  close: () => void
  /** Name for screen readers. */
  label: string
  children: ReactNode
}

/** Panel at the right edge of the window, over the page. Escape and a click outside close it and return the focus. */
export function Drawer({ isOpen, close, label, children }: Props) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => (open ? undefined : close())}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-120 data-ending-style:opacity-0 data-starting-style:opacity-0 motion-reduce:transition-none" />
        <Base.Popup
          aria-label={label}
          className="fixed inset-y-0 right-0 z-50 w-full max-w-160 overflow-y-auto bg-surface p-5 text-ink shadow-dialog outline-none transition-[opacity,translate] duration-160 ease-out data-ending-style:translate-x-4 data-ending-style:opacity-0 data-starting-style:translate-x-4 data-starting-style:opacity-0 motion-reduce:transition-none sm:p-6"
        >
          <Base.Close
            aria-label="Close"
            className="float-right -mt-1 -mr-1 ml-3 flex size-11 cursor-pointer items-center justify-center rounded-control text-ink-2 hover:bg-hover hover:text-ink sm:size-9"
          >
            <X aria-hidden="true" className="size-5" />
          </Base.Close>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
