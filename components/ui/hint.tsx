import { Info } from 'lucide-react'
import type { ReactNode } from 'react'

const nearButton =
  'supports-[position-area:bottom]:inset-auto supports-[position-area:bottom]:m-0 supports-[position-area:bottom]:mt-1 [position-area:bottom_span-right] [position-try-fallbacks:flip-inline,flip-block]'

/** Button that explains a figure. The explanation opens near it, or in the middle of the screen in older browsers, and closes on Escape or a click elsewhere. */
export function Hint({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={label}
        className="relative -my-1 inline-flex size-6 cursor-pointer items-center justify-center rounded-control align-middle text-ink-3 after:absolute after:-inset-2.5 hover:text-ink"
      >
        <Info aria-hidden="true" className="size-3.5" />
      </button>
      <span id={id} popover="auto" className={`m-auto max-w-64 rounded-control bg-surface px-3 py-2 text-note text-pretty text-ink shadow-float ${nearButton}`}>
        {children}
      </span>
    </>
  )
}
