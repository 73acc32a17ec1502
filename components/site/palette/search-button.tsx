'use client'

import { Search } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { PaletteScope } from './page-entries.tsx'
import { isSlashOn } from './slash-shortcut.ts'

const load = () => import('./command-palette.tsx')
const CommandPalette = lazy(async () => ({ default: (await load()).CommandPalette }))

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Returns true for the shortcuts that open the palette: ⌘K, Ctrl+K and, outside fields, a slash. */
function isShortcut({ key, metaKey, ctrlKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (altKey || shiftKey) return false
  if (metaKey !== ctrlKey) return key.toLowerCase() === 'k'
  return key === '/' && !metaKey && !isTyping(target) && isSlashOn()
}

/** Returns true for a character typed outside the palette's dialog. */
const isEarly = ({ key, metaKey, ctrlKey, altKey, isComposing, target }: KeyboardEvent): boolean =>
  key.length === 1 && !metaKey && !ctrlKey && !altKey && !isComposing && !(target instanceof Element && target.closest('[role="dialog"]'))

const never = () => () => undefined
const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform)

const look = {
  plain: 'border-line-strong bg-surface text-ink-2 hover:bg-hover hover:text-ink',
  ink: 'border-current text-on-bar opacity-90 hover:opacity-100',
} as const

/** Button and keyboard shortcuts that open the command palette. The palette's code is loaded when it first opens. One per page. */
export function SearchButton({ scope, tone = 'plain' }: { scope: PaletteScope; tone?: keyof typeof look }) {
  const [isOpen, setShown] = useState(false)
  const [isLoaded, setLoaded] = useState(false)
  const [text, setText] = useState('')
  // Known to the next key before the state is.
  const isOpening = useRef(false)
  const setOpen = useCallback((next: boolean) => {
    isOpening.current = next
    if (next) {
      setLoaded(true)
      setText('')
    }
    setShown(next)
  }, [])
  const modifier = useSyncExternalStore(
    never,
    () => (isApple() ? '⌘' : 'Ctrl '),
    () => 'Ctrl ',
  )
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isShortcut(event) && !(isOpening.current && event.key === '/')) {
        event.preventDefault()
        setOpen(!isOpening.current)
      } else if (isOpening.current && isEarly(event)) {
        // Keeps what is typed before the palette has loaded and its field has the focus.
        event.preventDefault()
        setText((was) => was + event.key)
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [setOpen])
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        onPointerEnter={() => void load()}
        aria-haspopup="dialog"
        aria-keyshortcuts="Meta+K Control+K"
        className={`inline-flex h-9 shrink-0 cursor-pointer items-center gap-2 rounded-control border px-2.5 text-table transition-colors duration-120 motion-reduce:transition-none max-lg:size-11 max-lg:justify-center max-lg:border-transparent max-lg:bg-transparent noscript:hidden ${look[tone]}`}
      >
        <Search aria-hidden="true" className="size-4" />
        <span className="max-xl:sr-only">Search</span>
        <span aria-hidden="true" className="ml-3 text-note max-xl:hidden">
          {modifier}K
        </span>
      </button>
      {isLoaded ? (
        <Suspense fallback={null}>
          <CommandPalette scope={scope} isOpen={isOpen} setOpen={setOpen} text={text} setText={setText} />
        </Suspense>
      ) : null}
    </>
  )
}
