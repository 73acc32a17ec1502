import type { Metadata } from 'next'
import { errorList } from '../../../server/publish/error-pages.ts'

export const metadata: Metadata = { title: 'Errors', description: 'Every error code, what it means and what to do next. Errors are never charged.' }

export default function ErrorsPage() {
  return (
    <>
      <h1 className="text-hero font-semibold tracking-tight">Errors</h1>
      <p className="mt-4 max-w-[68ch] text-prose text-ink-2">
        Every error is JSON with <code className="font-mono text-body">error</code>, <code className="font-mono text-body">message</code>,{' '}
        <code className="font-mono text-body">requestId</code> and <code className="font-mono text-body">docs</code>. Errors are never charged.
      </p>
      <ul className="mt-6 border-t border-line-strong">
        {errorList().map(({ code, status, when }) => (
          <li key={code} className="grid grid-cols-[2.5rem_1fr] gap-x-3 border-b border-line py-2.5 lg:grid-cols-[2.5rem_20rem_1fr]">
            <span className="font-mono text-table text-ink-2">{status}</span>
            <a className="prose-link font-mono text-table wrap-anywhere" href={`/docs/errors/${code}`}>
              {code}
            </a>
            <span className="col-start-2 text-ink-2 lg:col-start-3">{when}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
