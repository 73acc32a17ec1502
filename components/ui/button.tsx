import type { ComponentProps } from 'react'

const kinds = {
  /** Main action of a view. */
  primary: 'inline-flex min-h-11 items-center justify-center bg-accent px-4 py-2 text-on-accent hover:bg-accent-hover',
  /** Secondary action. */
  second: 'inline-flex min-h-11 items-center justify-center border border-line-strong bg-surface px-4 py-2 hover:bg-hover',
  /** Irreversible action. */
  danger: 'inline-flex min-h-11 items-center justify-center border border-danger bg-surface px-4 py-2 text-danger hover:bg-danger-wash',
  plain: 'min-h-8 border border-line-strong bg-surface px-2.5 text-note hover:bg-hover',
} as const

export type ButtonKind = keyof typeof kinds

const base =
  'cursor-pointer rounded-control font-medium transition-colors duration-120 motion-reduce:transition-none aria-disabled:cursor-default aria-disabled:opacity-60 disabled:cursor-default disabled:border-line disabled:bg-sunken disabled:text-ink-3'

/** Button. Its label names the action. */
export function Button({ kind, ...rest }: { kind: ButtonKind } & Omit<ComponentProps<'button'>, 'className'>) {
  return <button {...rest} className={`${base} ${kinds[kind]}`} />
}

/** Link that looks like a button. */
export function ButtonLink({ kind, ...rest }: { kind: ButtonKind } & Omit<ComponentProps<'a'>, 'className'>) {
  return <a {...rest} className={`${base} ${kinds[kind]}`} />
}
