'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { testKeyItem } from '#components/docs/test-key.ts'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { toast } from '#components/ui/toast.tsx'
import { SnippetTabs } from './snippet-tabs.tsx'
import type { Snippet } from './snippets.ts'

/** Warns before the user leaves the page while a one-time secret is displayed. */
function useLeaveWarning(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isOpen])
}

/** Stores a test key for this tab, for the examples and the API reference. Test keys read sample data and are never charged. Live keys are never stored. */
function keepForTab(value: string): void {
  try {
    sessionStorage.setItem(testKeyItem, value)
  } catch {
    // Storage is disabled in this browser: the docs and the API reference show a placeholder.
  }
}

const labels = {
  test: ['Your test key', 'test key', 'key'],
  live: ['Your live key', 'live key', 'key'],
  secret: ['Your signing secret', 'signing secret', 'secret'],
} as const

type Props = {
  value: string
  /** `secret` is a webhook signing secret. */
  mode: keyof typeof labels
  /** Example calls with the key, in several languages. */
  snippets?: readonly Snippet[]
  /** Reason why the key doesn't work yet; null if it does. */
  note?: string | null
  /** Content shown in place of the panel once the user has saved the key. */
  children: ReactNode
}

/**
 * Shows a new key once. A panel rather than a dialog, so that neither Escape nor a click outside can discard the key; it closes when the user confirms that the
 * key is saved.
 */
export function KeyReveal({ value, mode, snippets = [], note = null, children }: Props) {
  const [isSaved, setSaved] = useState(false)
  useLeaveWarning(!isSaved)
  useEffect(() => {
    if (mode === 'test') keepForTab(value)
  }, [value, mode])
  const [title, what, short] = labels[mode]
  if (isSaved) return children
  const close = () => {
    setSaved(true)
    toast(short === 'key' ? 'Key saved' : 'Secret saved')
  }
  const edge = mode === 'test' ? 'border-2 border-dashed border-test bg-test-wash' : 'border-2 border-accent bg-accent-wash'
  return (
    <section aria-labelledby="new-key" className={`rounded-panel p-4 sm:p-5 ${edge}`}>
      <h2 id="new-key" className="text-h2 font-semibold">
        {title}
      </h2>
      <p className="mt-1 text-pretty">{`Your ${short} is shown once. Store it now, for example in a password manager.`}</p>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-control border border-line-strong bg-surface px-3 py-2">
        <code data-key="" className="min-w-0 grow font-mono text-base wrap-anywhere select-all sm:text-body">
          {value}
        </code>
        <span className="ml-auto">
          <CopyButton text={value} what={what} />
        </span>
      </div>
      {note === null ? null : (
        <div className="mt-4">
          <Notice tone="caution">
            {note}{' '}
            <a className="prose-link" href="/portal/keys/new?mode=test">
              Create a test key
            </a>{' '}
            to call the API now.
          </Notice>
        </div>
      )}
      {snippets.length === 0 ? null : (
        <div className="mt-4">
          <SnippetTabs name="key-call" snippets={snippets} />
        </div>
      )}
      <p className="mt-4 noscript:hidden">
        <Button kind="primary" type="button" onClick={close}>
          {`I've saved this ${short}`}
        </Button>
      </p>
    </section>
  )
}
