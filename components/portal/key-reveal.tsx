'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { testKeyItem } from '#components/docs/test-key.ts'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { SnippetTabs } from './snippet-tabs.tsx'
import type { Snippet } from './snippets.ts'

/** Leaving asks first while a key stands on the page that nobody can show again. */
function useLeavingAsks(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isOpen])
}

/** A test key reads sample data and is never charged, so this tab keeps it for docs and console. A live key is kept nowhere. */
function keepForTab(value: string): void {
  try {
    sessionStorage.setItem(testKeyItem, value)
  } catch {
    // Storage is switched off in this browser: docs and console show their placeholder.
  }
}

const words = {
  test: ['Your test key', 'test key', 'key'],
  live: ['Your live key', 'live key', 'key'],
  secret: ['Your signing secret', 'signing secret', 'secret'],
} as const

type Props = {
  value: string
  /** `secret`: no key, but what signatures of webhooks are checked with. */
  mode: keyof typeof words
  /** A first call with it, in several languages. */
  snippets?: readonly Snippet[]
  /** What stands in its place once it is saved. */
  children?: ReactNode
}

/**
 * A new key, this once. A panel of the page and no dialog, so that neither Escape nor a click beside it can lose the key; it goes when its reader says
 * that it is saved.
 */
export function KeyReveal({ value, mode, snippets = [], children }: Props) {
  const [isSaved, setSaved] = useState(false)
  useLeavingAsks(!isSaved)
  useEffect(() => {
    if (mode === 'test') keepForTab(value)
  }, [value, mode])
  const [title, what, short] = words[mode]
  if (isSaved) return children ?? <p className="font-medium text-good">Key saved.</p>
  const edge = mode === 'test' ? 'border-2 border-dashed border-test bg-test-wash' : 'border-2 border-accent bg-accent-wash'
  return (
    <section aria-labelledby="new-key" className={`rounded-panel p-4 sm:p-5 ${edge}`}>
      <h2 id="new-key" className="text-h2 font-semibold">
        {title}
      </h2>
      <p className="mt-1 text-pretty">{`This is the only time we show this ${short}. Keep it where you keep passwords.`}</p>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-control border border-line-strong bg-surface px-3 py-2">
        <code data-key="" className="min-w-0 grow font-mono text-base wrap-anywhere select-all sm:text-body">
          {value}
        </code>
        <span className="ml-auto">
          <CopyButton text={value} what={what} />
        </span>
      </div>
      {snippets.length === 0 ? null : (
        <div className="mt-4">
          <SnippetTabs name="key-call" snippets={snippets} />
        </div>
      )}
      <p className="mt-4 noscript:hidden">
        <Button kind="primary" type="button" onClick={() => setSaved(true)}>
          {`I have saved this ${short}`}
        </Button>
      </p>
    </section>
  )
}
