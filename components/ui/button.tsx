import type { ComponentProps } from 'react'

const kinds = {
  /** Main action of a view. */
  primary: 'inline-flex items-center justify-center bg-accent text-on-accent hover:bg-accent-hover',
  /** Secondary action. */
  second: 'inline-flex items-center justify-center border border-line-strong bg-surface hover:bg-hover',
  /** Irreversible action. */
  danger: 'inline-flex items-center justify-center border border-danger bg-surface text-danger hover:bg-danger-wash',
  plain: 'min-h-9 border border-line-strong bg-surface px-2.5 text-note hover:bg-hover',
  /** In the bar of a code sample. */
  quiet:
    'inline-flex min-h-7 items-center gap-1.5 px-2 text-note text-ink-2 hover:bg-hover hover:text-ink max-sm:min-h-11 max-sm:min-w-11 max-sm:justify-center',
  /** Next to a filter, with the height of a filter. */
  filter: 'inline-flex h-11 items-center justify-center gap-2 border border-line-strong bg-surface px-3 hover:bg-hover sm:h-9 sm:text-table',
} as const

export type ButtonKind = keyof typeof kinds

const sizes = {
  regular: 'min-h-11 px-4 py-2',
  /** In the heading of a page: lower on wide screens. */
  compact: 'min-h-11 px-4 py-2 lg:min-h-9 lg:px-3.5 lg:py-1',
  /** Spans its container. */
  wide: 'min-h-11 w-full px-4 py-2',
} as const

type Look = { kind: ButtonKind; size?: keyof typeof sizes }

const base =
  'cursor-pointer rounded-control font-medium transition-colors duration-120 motion-reduce:transition-none aria-disabled:cursor-default aria-disabled:opacity-60 disabled:cursor-default disabled:border-line disabled:bg-sunken disabled:text-ink-3'

const isSmall = (kind: ButtonKind): boolean => kind === 'plain' || kind === 'quiet' || kind === 'filter'

/** Returns the classes of a button. Small kinds have one size. */
const toClasses = ({ kind, size = 'regular' }: Look): string => `${base} ${kinds[kind]} ${isSmall(kind) ? '' : sizes[size]}`

/** Button. Its label names the action. */
export function Button({ kind, size = 'regular', ...rest }: Look & Omit<ComponentProps<'button'>, 'className'>) {
  return <button {...rest} className={toClasses({ kind, size })} />
}

/** Link that looks like a button. */
export function ButtonLink({ kind, size = 'regular', ...rest }: Look & Omit<ComponentProps<'a'>, 'className'>) {
  return <a {...rest} className={toClasses({ kind, size })} />
}
