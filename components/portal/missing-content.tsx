import type { ReactNode } from 'react'
import { NoticeBody } from '#components/ui/notice.tsx'

/** Replaces content that failed to load. `again` is the retry control. */
export function FailedPanel({ what, reference, again }: { what: string; reference: string | null; again: ReactNode }) {
  return (
    <section role="alert">
      <NoticeBody tone="danger">
        <p>We couldn't load {what}. Your keys and credits are not affected.</p>
        <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1">
          {again}
          {reference === null ? null : (
            <span className="text-note text-ink-2">
              Reference <code className="font-mono">{reference}</code>
            </span>
          )}
        </p>
      </NoticeBody>
    </section>
  )
}

/** Content of the portal's 404 page. */
export function NotFoundContent() {
  return (
    <>
      <h1 className="text-h1 font-semibold tracking-tight">Page not found</h1>
      <p className="mt-4">
        <a className="prose-link" href="/portal">
          Go to the overview
        </a>
      </p>
    </>
  )
}
