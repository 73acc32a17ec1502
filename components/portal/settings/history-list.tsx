import { Time } from '#components/data/time.tsx'

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

const labels: Readonly<Record<string, string>> = {
  'sign-up': 'Account created',
  'sign-in.fail': 'Sign-in failed',
  'sign-in.lock-out': 'Sign-in blocked after too many attempts',
  'reauthentication.fail': 'Identity check failed',
  'email.confirm': 'Email confirmed',
  'email.change-ask': 'Email change requested',
  'email.change': 'Email changed',
  'name.change': 'Name changed',
  'purpose.change': 'Planned use changed',
  'time-zone.change': 'Time zone changed',
  'password.change': 'Password changed',
  'password.reset': 'Password reset by email',
  'provider.connect': 'Connected account added',
  'provider.disconnect': 'Connected account removed',
  'second-factor.on': 'Two-factor sign-in turned on',
  'second-factor.off': 'Two-factor sign-in turned off',
  'recovery-codes.renew': 'Recovery codes regenerated',
  'session.end': 'Device signed out',
  'session.end-all': 'All devices signed out',
  'member.invite': 'Member invited',
  'member.uninvite': 'Invitation revoked',
  'member.join': 'Member joined',
  'member.role': 'Member role changed',
  'member.remove': 'Member removed',
  'member.leave': 'Member left',
  'single-sign-on.set': 'Single sign-on set up',
  'single-sign-on.require': 'Single sign-on requirement changed',
  'single-sign-on.remove': 'Single sign-on removed',
  'single-sign-on.link': 'Sign-in linked to single sign-on',
  'single-sign-on.unlink': 'Sign-in unlinked from single sign-on',
  'owner.change': 'Ownership transferred',
  'licence.accept': 'Data Licence accepted',
  'key.create': 'Key created',
  'key.update': 'Key edited',
  'key.rotate': 'Key rotated',
  'key.revoke': 'Key revoked',
  'cap.change': 'Monthly cap changed',
  'alerts.change': 'Balance alerts changed',
  'auto-top-up.change': 'Automatic top-ups changed',
  'card.remove': 'Saved card removed',
  'webhooks.ask': 'Webhooks requested',
  'webhooks.on': 'Webhooks enabled',
  'webhooks.off': 'Webhooks disabled',
  'webhook.create': 'Webhook endpoint added',
  'webhook.update': 'Webhook endpoint changed',
  'webhook.rotate': 'Webhook secret rotated',
  'webhook.pause': 'Webhook endpoint paused',
  'webhook.resume': 'Webhook endpoint resumed',
  'webhook.delete': 'Webhook endpoint deleted',
  'webhook.test': 'Webhook test event sent',
  'webhook.redeliver': 'Webhook events redelivered',
  'account.approve': 'Account approved',
  'account.decline': 'Account not approved',
  'account.block': 'Account blocked',
  'account.unblock': 'Account unblocked',
  'plan.change': 'Plan changed',
  'limits.change': 'Limits changed',
  'credits.adjust': 'Credits adjusted',
  'credits.approve': 'Credits adjusted',
  'viewing.begin': 'Portal viewed by support',
}

/** An account's changes and security events, newest first. */
export function HistoryList({ lines, older }: { lines: readonly Line[]; older: string | null }) {
  if (lines.length === 0) return <p>No changes yet.</p>
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {lines.map(({ id, at, actor, action, address, subject, member }) => (
          <li key={id} className="py-2">
            {labels[action] ?? action}
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
