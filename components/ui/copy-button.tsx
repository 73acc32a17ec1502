'use client'

import { useState } from 'react'
import { withTestKey } from '#components/docs/test-key.ts'
import { Button } from './button.tsx'

type State = 'rest' | 'copied' | 'blocked'

const said = { rest: '', copied: 'Copied', blocked: 'Select the text to copy it' } as const satisfies Record<State, string>

type Props = {
  text: string
  what: string
  /** Words of the button that say by themselves what is copied; then a placeholder of a key stays one. */
  label?: string
}

/** Copies a text, with the test key of this tab where a key belongs, and says so beside the button. */
export function CopyButton({ text, what, label }: Props) {
  const [state, setState] = useState<State>('rest')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(label === undefined ? withTestKey(text) : text)
      setState('copied')
    } catch {
      // Refused by the reader's settings, or the page came over plain HTTP from another machine, where browsers have no clipboard.
      setState('blocked')
    }
  }
  return (
    <span className="inline-flex items-center gap-2 noscript:hidden">
      <span aria-live="polite" className="text-note text-ink-2">
        {said[state]}
      </span>
      <Button kind="plain" type="button" onClick={copy} aria-label={label ?? `Copy ${what}`}>
        {label ?? 'Copy'}
      </Button>
    </span>
  )
}
