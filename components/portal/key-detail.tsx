'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Time } from '#components/data/time.tsx'
import type { Values } from '#components/forms/client-form.tsx'
import { HiddenField, TextField } from '#components/forms/field.tsx'
import { SubmitButton } from '#components/forms/form.tsx'
import { goTo } from '#components/forms/go-to.ts'
import { MutationForm } from '#components/forms/mutation-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { BackLink } from '#components/ui/back-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { AsidePanel, Columns } from '#components/ui/columns.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { toast } from '#components/ui/toast.tsx'
import { FieldsError } from '#server/api/contract/field-errors.ts'
import { credits, number, pounds } from './amounts.ts'
import { EditKeyForm } from './edit-key.tsx'
import { Fact } from './fact.tsx'
import type { ScopeLine } from './key-fields.tsx'
import { KeyStateTag, LastUse, ModeTag, oldKeyNote, type ShownKey } from './key-table.tsx'
import { isCapReached, keyConfirmation, lastUseText, nextMonth } from './key-use.ts'
import { ReviewNotice } from './portal-notices.tsx'

type Detail = ShownKey & {
  readonly addresses: readonly string[]
  readonly createdAt: Date
  /** The replaced key, while it still works. */
  readonly predecessor: { readonly id: string; readonly hint: string; readonly endsAt: Date } | null
}

function spendText(key: Detail): string {
  const { mode, spentCredits, capCredits } = key
  if (mode === 'test') return 'Test keys are free'
  const text = capCredits === null ? `${credits(spentCredits)} (${pounds(spentCredits)}), no cap` : ofCap(spentCredits, capCredits)
  return [text, oldKeyNote(key)].filter((part) => part !== null).join(', ')
}

const ofCap = (spentCredits: number, capCredits: number): string => `${number(spentCredits)} of ${credits(capCredits)} (${pounds(capCredits)})`

function End({ state, endsAt }: Pick<Detail, 'state' | 'endsAt'>) {
  if (endsAt === null) return 'Never'
  return (
    <>
      {state === 'active' || state === 'ending' ? 'Expires ' : 'Expired '}
      <Time at={endsAt} isStop />
    </>
  )
}

/** Review of the account; null if it is approved. */
type Review = { readonly confirmedAt: Date | null; readonly declineReason: string | null } | null

/** Explains why a key doesn't work, or how long it will keep working. */
function KeyNotices({ apiKey: key, review }: { apiKey: Detail; review: Review }) {
  return (
    <>
      {review !== null && key.mode === 'live' ? <ReviewNotice {...review} /> : null}
      {isCapReached(key) ? (
        <div className="mb-6">
          <Notice tone="caution">
            This key has reached its cap. Its calls are rejected until <Time at={nextMonth(new Date())} isStop />. To continue before then, edit the key and
            raise its cap.
          </Notice>
        </div>
      ) : null}
      {key.state === 'ending' && key.replacedBy !== null && key.endsAt !== null ? (
        <div className="mb-6">
          <Notice tone="caution">
            This key was{' '}
            <a className="prose-link" href={`/portal/keys/${key.replacedBy}`}>
              replaced by a new one
            </a>
            . It works until <Time at={key.endsAt} isStop />.
          </Notice>
        </div>
      ) : null}
      {key.predecessor === null ? null : <OldKeyNotice {...key.predecessor} />}
    </>
  )
}

/** Notice that the replaced key still works, with a button that revokes it. */
function OldKeyNotice({ id, hint, endsAt }: NonNullable<Detail['predecessor']>) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (
    <div className="mb-6">
      <Notice tone="info" title="The old key still works">
        <p className="mb-3">
          <a className="prose-link font-mono text-table" href={`/portal/keys/${id}`}>
            {hint}
          </a>{' '}
          works until <Time at={endsAt} isStop />. If you no longer use it, revoke it now. Calls with it will then fail immediately.
        </p>
        <MutationForm
          mutation={trpc.keys.revoke.mutationOptions()}
          name="old"
          onDone={async () => {
            await client.invalidateQueries(trpc.keys.pathFilter())
            toast('Old key revoked')
          }}
        >
          <HiddenField name="id" value={id} />
          <SubmitButton kind="second">Revoke the old key now</SubmitButton>
        </MutationForm>
      </Notice>
    </div>
  )
}

function Facts({ apiKey: key }: { apiKey: Detail }) {
  return (
    <dl className="border-t border-line">
      <Fact name="Key">
        <code className="font-mono text-table">{key.hint}</code>
      </Fact>
      <Fact name="Permissions">
        <code className="font-mono text-table">{key.scopes.join(', ')}</code>
      </Fact>
      <Fact name="Allowed IPs">{key.addresses.length === 0 ? 'Any IP' : <code className="font-mono text-table">{key.addresses.join(', ')}</code>}</Fact>
      <Fact name="Spent this month">{spendText(key)}</Fact>
      <Fact name="Last used">
        <LastUse {...key} />
      </Fact>
      <Fact name="Created">
        <Time at={key.createdAt} isStop />
        {key.createdBy === null ? null : <span className="wrap-anywhere">, created by {key.createdBy}</span>}
      </Fact>
      <Fact name="Expiry">
        <End {...key} />
      </Fact>
      {key.replacedBy === null ? null : (
        <Fact name="Replaced by">
          <a className="prose-link" href={`/portal/keys/${key.replacedBy}`}>
            New key
          </a>
        </Fact>
      )}
    </dl>
  )
}

type Props = {
  id: string
  scopes: readonly ScopeLine[]
  review: Review
  /** True if the page opens with the form. */
  startsEdited: boolean
  /** Content next to the details. */
  aside: ReactNode
  /** Content below the details. */
  children: ReactNode
}

/** Details of a key, without the key itself. While the key is being edited, the form replaces them. */
export function KeyDetail({ id, scopes, review, startsEdited, aside, children }: Props) {
  const { data: key } = useSuspenseQuery(useTRPC().keys.read.queryOptions({ id }))
  const [isEdited, setEdited] = useState(startsEdited)
  return (
    <>
      <BackLink href="/portal/keys" name="Keys" />
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h1 className="text-h1 font-semibold tracking-tight wrap-anywhere">{key.name === '' ? 'Unnamed key' : key.name}</h1>
        <ModeTag mode={key.mode} />
        <KeyStateTag {...key} />
        {key.state === 'active' && !isEdited ? (
          <span className="ml-auto">
            <Button kind="second" size="compact" type="button" onClick={() => setEdited(true)}>
              Edit key
            </Button>
          </span>
        ) : null}
      </div>
      <KeyNotices apiKey={key} review={review} />
      <Columns aside={aside}>
        {isEdited && key.state === 'active' ? <EditKeyForm id={id} scopes={scopes} close={() => setEdited(false)} /> : <Facts apiKey={key} />}
        {children}
      </Columns>
    </>
  )
}

/**
 * Form that revokes a key. For a live key, the user must type its name and last four characters, because after a rotation the old and the new key have the same
 * name.
 */
export function RevokeForm({ id }: { id: string }) {
  const trpc = useTRPC()
  const { data: key } = useSuspenseQuery(trpc.keys.read.queryOptions({ id }))
  const confirmation = keyConfirmation(key)
  if (key.state !== 'active' && key.state !== 'ending') return null
  const toInput = ({ name }: Values) => {
    if (key.mode === 'live' && String(name).trim() !== confirmation)
      throw new FieldsError({ name: `Type the key's name and last four characters: ${confirmation}.` })
    return { id }
  }
  return (
    <AsidePanel id="revoke" title="Revoke">
      <p className="mb-4 text-note text-pretty text-ink-2">
        {lastUseText(key, new Date())} Once you revoke this key, calls with it fail immediately. You can't undo this.
      </p>
      <MutationForm mutation={trpc.keys.revoke.mutationOptions()} name="revoke" toInput={toInput} onDone={() => goTo(`/portal/keys?revoked=${id}#ended`)}>
        {key.mode === 'live' ? (
          <TextField name="name" label={`Type the key's name and last four characters to confirm: ${confirmation}`} autoComplete="off" size="short" />
        ) : null}
        <SubmitButton kind="danger">Revoke key</SubmitButton>
      </MutationForm>
    </AsidePanel>
  )
}
