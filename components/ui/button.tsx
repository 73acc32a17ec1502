import type { ComponentProps } from 'react'

const kinds = {
  /** The one action that a view is for. */
  primary: 'h-11 bg-accent px-4 text-on-accent hover:bg-accent-hover',
  plain: 'min-h-8 border border-line-strong bg-surface px-2.5 text-note hover:bg-hover',
} as const

/** A button. Its words say what happens. */
export function Button({ kind, ...rest }: { kind: keyof typeof kinds } & Omit<ComponentProps<'button'>, 'className'>) {
  return (
    <button {...rest} className={`cursor-pointer rounded-control font-medium transition-colors duration-120 motion-reduce:transition-none ${kinds[kind]}`} />
  )
}
