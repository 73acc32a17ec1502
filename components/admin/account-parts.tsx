import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { TextAreaField } from '#components/forms/field.tsx'
import { Form, SubmitButton } from '#components/forms/form.tsx'
import type { FormAction } from '#components/forms/form-state.ts'
import { credits, number } from '#components/portal/amounts.ts'
import { KeyStateTag, LastUse, ModeTag, type ShownKey } from '#components/portal/key-table.tsx'
import type { Session } from '#components/portal/session-list.tsx'
import { browserName } from '#components/portal/session-list.tsx'
import { successRateText, WebhookStateTag, waitingCount } from '#components/portal/webhooks/webhook-labels.tsx'
import type { ListedWebhook } from '#components/portal/webhooks/webhook-list.tsx'

export type ShownUse = { readonly id: string; readonly name: string; readonly calls: number; readonly credits: number }

export function UseTable({ groups }: { groups: readonly ShownUse[] }) {
  if (groups.length === 0) return <p>No calls in the last 7 days.</p>
  return (
    <DataTable
      caption="Calls and credits by endpoint, last 7 days"
      rows={groups}
      rowKey={({ id }) => id}
      columns={[
        { name: 'Endpoint', isHead: true, cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
        { name: 'Calls', isNumber: true, cell: ({ calls }) => number(calls) },
        { name: 'Charged', isNumber: true, cell: (group) => credits(group.credits) },
      ]}
    />
  )
}

export function KeyList({ keys }: { keys: readonly ShownKey[] }) {
  if (keys.length === 0) return <p>No keys.</p>
  return (
    <DataTable
      caption="Keys"
      rows={keys}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'Key',
          isHead: true,
          cell: ({ name, hint, id }) => (
            <span>
              {name === '' ? 'Unnamed key' : name}
              <code className="mt-0.5 block font-mono text-note font-normal text-ink-2 wrap-anywhere">
                {hint} {id}
              </code>
            </span>
          ),
        },
        { name: 'Mode', cell: ({ mode }) => <ModeTag mode={mode} /> },
        { name: 'State', isBeside: true, cell: (key) => <KeyStateTag {...key} /> },
        { name: 'Last used', cell: (key) => <LastUse {...key} /> },
        { name: 'Spent this month', isNumber: true, cell: ({ spentCredits }) => credits(spentCredits) },
      ]}
    />
  )
}

export type ShownWebhooks = { readonly isOn: boolean; readonly askedAt: Date | null; readonly endpoints: readonly ListedWebhook[] }

export function WebhookList({ webhooks }: { webhooks: ShownWebhooks }) {
  const { isOn, askedAt, endpoints } = webhooks
  return (
    <>
      <p className="mb-3">
        {isOn ? 'On.' : 'Off.'}
        {askedAt === null || isOn ? null : (
          <>
            {' '}
            Requested <Time at={askedAt} />.
          </>
        )}
      </p>
      {endpoints.length === 0 ? null : (
        <DataTable
          caption="Webhook endpoints"
          rows={endpoints}
          rowKey={({ id }) => id}
          columns={[
            { name: 'Endpoint', isHead: true, cell: ({ url, description }) => <span className="wrap-anywhere">{description === '' ? url : description}</span> },
            { name: 'State', isBeside: true, cell: ({ state }) => <WebhookStateTag state={state} /> },
            { name: 'Delivered, 7 days', isNumber: true, cell: ({ successRate }) => successRateText(successRate) },
            { name: 'Waiting', isNumber: true, cell: ({ waiting }) => waitingCount(waiting) },
          ]}
        />
      )}
    </>
  )
}

export function SignIns({ sessions }: { sessions: readonly Session[] }) {
  if (sessions.length === 0) return <p>No active sessions.</p>
  return (
    <ul className="divide-y divide-line border-y border-line">
      {sessions.map(({ id, agent, seenAt, address }) => (
        <li key={id} className="py-2">
          {browserName(agent)}
          <span className="block text-note text-ink-2">
            <Time at={seenAt}>{ago(seenAt, new Date())}</Time>
            {address === null ? '' : ` from ${address}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

export type ShownNote = { readonly id: string; readonly at: Date; readonly text: string; readonly admin: string }

export function Notes({ account, notes, add }: { account: string; notes: readonly ShownNote[]; add: FormAction }) {
  return (
    <>
      {notes.length === 0 ? null : (
        <ul className="mb-6 divide-y divide-line border-y border-line">
          {notes.map(({ id, at, text, admin }) => (
            <li key={id} className="py-2">
              <span className="wrap-anywhere whitespace-pre-wrap">{text}</span>
              <span className="block text-note text-ink-2">
                <Time at={at} /> by {admin}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="max-w-prose">
        <Form action={add} name="note">
          <input type="hidden" name="account" value={account} />
          <TextAreaField name="reason" label="Note" hint="Only visible to administrators. Can’t be edited or deleted." rows={3} />
          <div>
            <SubmitButton kind="second">Add note</SubmitButton>
          </div>
        </Form>
      </div>
    </>
  )
}
