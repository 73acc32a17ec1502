import { Time } from '#components/data/time.tsx'
import { toHistoryLabel } from './history-labels.ts'

type Line = {
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly subject: string | null
  readonly address: string | null
  /** Email of the member who made the change; null for the account's own sign-in. */
  readonly member: string | null
}

/** Names the API key that made a change. */
function ByKey({ id }: { id: string }) {
  return (
    <>
      {' by an '}
      <a className="prose-link" href={`/portal/keys/${id}`}>
        API key
      </a>
    </>
  )
}

/** An account's changes and security events, newest first. */
export function HistoryList({ lines, older }: { lines: readonly Line[]; older: string | null }) {
  if (lines.length === 0) return <p>No changes yet.</p>
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {lines.map(({ id, at, actor, action, address, subject, member }) => (
          <li key={id} className="py-2">
            {toHistoryLabel(action)}
            {subject?.startsWith('key_') ? (
              <>
                {' · '}
                <a className="prose-link" href={`/portal/keys/${subject}`}>
                  key
                </a>
              </>
            ) : null}
            <span className="block text-note text-ink-2">
              <Time at={at} isStop />
              {address === null ? '' : ` from ${address}`}
              {member === null ? '' : ` by ${member}`}
              {actor === 'operator' || actor === 'admin' ? ' by support' : ''}
              {actor.startsWith('key_') ? <ByKey id={actor} /> : null}
            </span>
          </li>
        ))}
      </ul>
      {older === null ? null : (
        <p className="mt-3">
          <a className="prose-link" href={`/portal/settings/account?before=${older}#history`}>
            Older changes
          </a>
        </p>
      )}
    </>
  )
}
