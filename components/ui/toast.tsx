'use client'

import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { ToastMessage } from './toast-stack.tsx'

const ToastStack = lazy(async () => ({ default: (await import('./toast-stack.tsx')).ToastStack }))

let waiting: readonly ToastMessage[] = []
let hasToasted = false
const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the toasts that aren't shown yet, and removes them from the queue. */
function takeWaiting(): readonly ToastMessage[] {
  const taken = waiting
  waiting = []
  notify()
  return taken
}

/** Shows a short message in the corner of the page, such as `toast('Key created')`. Pages with an app shell show it; elsewhere it does nothing. */
export function toast(title: string, { tone = 'good', ...rest }: Partial<Omit<ToastMessage, 'title'>> = {}): void {
  if (listeners.size === 0) return
  hasToasted = true
  waiting = [...waiting, { title, tone, ...rest }]
  notify()
}

const never: readonly ToastMessage[] = []

/** Shows toasts. Their code is loaded when the first one is shown. */
export function Toaster() {
  const queue = useSyncExternalStore(
    subscribe,
    () => waiting,
    () => never,
  )
  if (!hasToasted) return null
  return (
    <Suspense fallback={null}>
      <ToastStack queue={queue} take={takeWaiting} />
    </Suspense>
  )
}
