'use client'

import { useState } from 'react'
import { withTestKey } from '../docs/test-key.ts'
import { Button } from './button.tsx'

type State = 'rest' | 'copied' | 'blocked'

const said = { rest: '', copied: 'Copied', blocked: 'Select the text to copy it' } as const satisfies Record<State, string>

/** Copies a text, with the test key of this tab where a key belongs, and says so beside the button. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<State>('rest')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(withTestKey(text))
      setState('copied')
    } catch {
      // Refused by the reader's settings, or the page came over plain HTTP from another machine, where browsers have no clipboard.
      setState('blocked')
    }
  }
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-live="polite" className="text-note text-ink-2">
        {said[state]}
      </span>
      <Button kind="plain" type="button" onClick={copy} aria-label={`Copy ${what}`}>
        Copy
      </Button>
    </span>
  )
}
