import { Time } from '#components/data/time.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { Notice } from '#components/ui/notice.tsx'
import { ConfirmNotice } from './confirm-notice.tsx'

type Viewer = {
  readonly email: string
  readonly state: 'review' | 'open' | 'blocked'
  readonly blockReason: string | null
  readonly isConfirmed: boolean
  readonly licenceDue: { readonly label: string; readonly by: Date } | null
}

/** Notices on every page of the portal, most severe first. */
export function PortalNotices({ viewer, path, sendLink }: { viewer: Viewer; path: string; sendLink: FormAction }) {
  const { licenceDue } = viewer
  if (viewer.state === 'blocked')
    return (
      <>
        <h1 className="mb-4 text-h1 font-semibold tracking-tight">Account blocked</h1>
        <Notice tone="danger">
          This account is blocked{viewer.blockReason === null ? '' : `: ${viewer.blockReason.replace(/\.$/, '')}`}. Its keys do not work.{' '}
          <a className="prose-link" href="/help">
            Contact support
          </a>
          .
        </Notice>
      </>
    )
  return (
    <div className="flex flex-col gap-3 not-empty:mb-6">
      {viewer.isConfirmed ? null : <ConfirmNotice email={viewer.email} action={sendLink} isFirst={/^\/portal(?:\?|$)/.test(path)} />}
      {licenceDue === null || path.startsWith('/portal/licence') ? null : (
        <Notice tone="caution" title={`Data Licence ${licenceDue.label}`}>
          {licenceDue.by.getTime() > Date.now() ? 'Live calls stop on ' : 'Live calls stopped on '}
          <Time at={licenceDue.by} look="day" /> {licenceDue.by.getTime() > Date.now() ? 'unless you accept.' : 'because it is not accepted.'}{' '}
          <a className="prose-link" href="/portal/licence">
            Read what changed
          </a>
        </Notice>
      )}
    </div>
  )
}
