'use client'

import type { UseMutationOptions } from '@tanstack/react-query'
import type { TRPCClientErrorLike } from '@trpc/client'
import type { ReactNode } from 'react'
import { goTo } from '#components/forms/go-to.ts'
import { number } from '#components/portal/amounts.ts'
import type { AppRouter } from '#server/trpc/root.ts'
import { ActionForm } from '../kit/action-form.tsx'
import { type Outputs, Section } from '../kit/layout.tsx'

/** Text of the reason field for content that customers can read. */
export const reason = { hint: 'Recorded in the audit log. Not shown to customers.' }

/** Formats a count: `1 account`, `1,204 accounts`. */
export const accountCount = (count: number): string => (count === 1 ? '1 account' : `${number(count)} accounts`)

/** Formats the progress of a bulk email, such as `1,200 sent, 3 failed`. */
export function emailProgress(progress: Outputs['changelog']['list']['entries'][number]['mails']): string {
  if (progress === null) return '–'
  const counts = [
    [progress.sent, 'sent'],
    [progress.waiting, 'waiting'],
    [progress.failed, 'failed'],
    [progress.unsure, 'possibly sent (interrupted)'],
  ] as const
  const parts = counts.filter(([count]) => count > 0).map(([count, label]) => `${number(count)} ${label}`)
  if (!progress.isMade) return [...parts, 'more being queued'].join(', ')
  return parts.length === 0 ? 'No emails' : parts.join(', ')
}

type Mutation<Input, Output> = UseMutationOptions<Output, TRPCClientErrorLike<AppRouter>, Input>

type Props<Publish, Published, Rewrite, Rewritten, Discard, Discarded> = {
  draft: { readonly id: string; readonly revision: number }
  /** Page that lists the drafts. */
  list: string
  publish: Mutation<Publish, Published>
  rewrite: Mutation<Rewrite, Rewritten>
  discard: Mutation<Discard, Discarded>
  /** Label and consequences of publishing. */
  publishing: { readonly button: string; readonly lead: string; readonly effect?: ReactNode }
  /** Fields of the draft. */
  fields: ReactNode
}

/** Forms that publish, edit and discard a draft. Each applies only to the revision that is shown. */
export function DraftForms<P, Published, R, Rewritten, D, Discarded>(props: Props<P, Published, R, Rewritten, D, Discarded>) {
  const { draft, list, publish, rewrite, discard, publishing, fields } = props
  const input = { id: draft.id, revision: draft.revision }
  return (
    <div className="max-w-152">
      <Section id="publish" title="Publish" lead={publishing.lead}>
        <ActionForm mutation={publish} name="publish" input={input} kind="primary" button={publishing.button} reason={reason} done={() => goTo(list)}>
          {publishing.effect}
        </ActionForm>
      </Section>
      <Section id="rewrite" title="Edit">
        <ActionForm mutation={rewrite} name="rewrite" input={input} button="Save draft" reason={reason} done="Draft saved.">
          {fields}
        </ActionForm>
      </Section>
      <Section id="discard" title="Discard" lead="Deletes the draft. You can’t undo this.">
        <ActionForm mutation={discard} name="discard" input={input} kind="danger" button="Discard this draft" reason={reason} done={() => goTo(list)} />
      </Section>
    </div>
  )
}
