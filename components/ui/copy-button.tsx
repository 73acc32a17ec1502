'use client'

import { Copy } from 'lucide-react'
import { useState } from 'react'
import { withTestKey } from '#components/docs/test-key.ts'
import { Button } from './button.tsx'

type State = 'rest' | 'copied' | 'blocked'

const messages = { rest: '', copied: 'Copied', blocked: 'Select the text to copy it' } as const satisfies Record<State, string>

type Props = {
  text: string
  what: string
  /** Label of the button, naming the copied content. If set, the key placeholder is not replaced. */
  label?: string
}

/** Copies text, with this tab's test key in place of the key placeholder, and reports the result next to the button. */
export function CopyButton({ text, what, label }: Props) {
  const [state, setState] = useState<State>('rest')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(label === undefined ? withTestKey(text) : text)
      setState('copied')
    } catch {
      // Clipboard access is denied by the browser's settings, or unavailable because the page was not loaded over HTTPS.
      setState('blocked')
    }
  }
  return (
    <span className="inline-flex items-center gap-2 noscript:hidden">
      <span aria-live="polite" className="text-note text-ink-2">
        {messages[state]}
      </span>
      <Button kind={label === undefined ? 'quiet' : 'plain'} type="button" onClick={copy} aria-label={label ?? `Copy ${what}`}>
        {label === undefined ? <Copy aria-hidden="true" className="size-3.5" /> : null}
        <span className={label === undefined ? 'max-sm:hidden' : undefined}>{label ?? 'Copy'}</span>
      </Button>
    </span>
  )
}
