import type { ReactNode } from 'react'

/** Heading of a sign-up or sign-in page. */
export function AuthHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mb-6">
      <h1 className="text-h1 font-semibold tracking-tight text-balance">{title}</h1>
      {children === undefined ? null : <div className="mt-2 text-pretty text-ink-2">{children}</div>}
    </div>
  )
}
