'use client'

import { useState } from 'react'

type State = 'rest' | 'copied' | 'blocked'

const said = { rest: '', copied: 'Copied', blocked: 'Select the text to copy it' } as const satisfies Record<State, string>

/** Copies a text and says so beside the button. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<State>('rest')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('blocked'),
    )
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-live="polite" className="text-note text-ink-2">
        {said[state]}
      </span>
      <button
        type="button"
        onClick={copy}
        aria-label={`Copy ${what}`}
        className="min-h-8 cursor-pointer rounded-control border border-line-strong bg-surface px-2.5 text-note font-medium hover:bg-hover"
      >
        Copy
      </button>
    </span>
  )
}
