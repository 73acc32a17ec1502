'use client'

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Time } from '#components/data/time.tsx'
import { TextField } from '#components/forms/field.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { ActionForm } from '../kit/action-form.tsx'
import { type AdminColumn, AdminTable } from '../kit/admin-table.tsx'
import { Code, DescriptionList, Heading, type Outputs, Section } from '../kit/layout.tsx'
import { ProductTags } from './products.tsx'

type Product = Outputs['products']['read']
type Correction = NonNullable<Product['correction']>

/** Formats changed terms as `label old → new`, separated by commas. */
const describeLines = (lines: Correction['lines']): string => lines.map(({ label, from, to }) => `${label} ${from} → ${to}`).join(', ')

const describe = ({ isWithdrawal, lines }: Correction): string => (isWithdrawal ? 'Withdrawn' : describeLines(lines))

const reason = { hint: 'Recorded in the audit log and with the correction. Not shown to callers.' }

/** Fields of the terms that can be corrected. The names are those of the procedure's input. */
const termFields = [
  { name: 'accountName', label: 'Account name' },
  { name: 'rate', label: 'Rate', hint: 'AER in percent, including the bonus, such as 4.50.' },
  { name: 'boostRate', label: 'Bonus', hint: 'Temporary part of the rate, in percent. Enter 0.00 if there is none.' },
  { name: 'boostDuration', label: 'Bonus duration', hint: 'For example, 12 months.', isOptional: true },
  { name: 'minBalance', label: 'Minimum balance', hint: 'In pounds.' },
  { name: 'maxBalance', label: 'Maximum balance', hint: 'In pounds. Leave empty for no maximum.', isOptional: true },
] as const

const until = (
  <TextField
    name="until"
    label="Last day"
    type="date"
    isOptional
    size="short"
    hint="The correction expires after this day (UK time). Leave empty for no expiry."
  />
)

type Terms = Product['typed']

/** Forms that correct the terms of a product, or withdraw it. */
function CorrectionForms({ product: { sourceKey, seen, typed } }: { product: Product }) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const { products } = trpc.admin
  return (
    <>
      <Section id="correct" title="Correct" lead="A correction overrides the feed, including later imports, until it expires or you end it.">
        <div className="max-w-prose">
          <ActionForm
            mutation={products.correct.mutationOptions()}
            name="correct"
            input={{ sourceKey, seen }}
            kind="primary"
            button="Correct this product"
            preview={(values) => client.fetchQuery({ ...products.preview.queryOptions({ ...(values as Terms), sourceKey }), staleTime: 0, retry: false })}
            reason={reason}
            done="Product corrected."
          >
            {termFields.map((field) => (
              <TextField
                key={field.name}
                {...field}
                defaultValue={typed[field.name]}
                size={field.name === 'accountName' ? 'full' : 'short'}
                autoComplete="off"
              />
            ))}
            {until}
          </ActionForm>
        </div>
      </Section>
      <Section
        id="withdraw"
        title="Withdraw"
        lead="Withdrawing a product overrides the feed: the API stops returning it, and webhooks are sent. A withdrawal is recorded as a correction. To list the product again, end that correction."
      >
        <div className="max-w-prose">
          <ActionForm
            mutation={products.withdraw.mutationOptions()}
            name="withdraw"
            input={{ sourceKey, seen }}
            kind="danger"
            button="Withdraw product"
            reason={reason}
            done="Product withdrawn."
          >
            {until}
          </ActionForm>
        </div>
      </Section>
    </>
  )
}

function afterwards({ isWithdrawal, feedSays }: Correction): string {
  if (feedSays === null) return 'The feed no longer lists this product, so it stays withdrawn.'
  if (isWithdrawal) return 'Before: withdrawn. After: listed, as in the feed.'
  return feedSays.length === 0
    ? 'The feed now has the same values. Nothing changes for callers.'
    : `The product returns to the values in the feed: ${describeLines(feedSays)}.`
}

function EndForm({ sourceKey, correction }: { sourceKey: string; correction: Correction }) {
  return (
    <Section id="end" title="End correction" lead={afterwards(correction)}>
      <div className="max-w-prose">
        <ActionForm
          mutation={useTRPC().admin.products.endCorrection.mutationOptions()}
          name="end"
          input={{ sourceKey }}
          kind="primary"
          button="End correction"
          reason={reason}
          done="Correction ended."
        />
      </div>
    </Section>
  )
}

function Current({ correction }: { correction: Correction }) {
  const { byEmail, begunAt, endsAt, reason: why } = correction
  return (
    <div className="mb-6">
      <Notice tone="caution" title="Manually corrected">
        <p>
          {describe(correction)}. Made by {byEmail} on <Time at={begunAt} isStop />. In effect until{' '}
          {endsAt === null ? 'an administrator ends it' : <Time at={endsAt} isStop />}. Reason: {why}
        </p>
      </Notice>
    </div>
  )
}

const formerColumns: readonly AdminColumn<Correction>[] = [
  { name: 'Started', isHead: true, cell: ({ begunAt }) => <Time at={begunAt} look="row" /> },
  { name: 'Correction', cell: describe },
  { name: 'Why', cell: ({ reason: why, byEmail }) => `${why} (${byEmail})` },
  {
    name: 'Ended',
    cell: ({ endedAt, endedByEmail }) => (
      <>
        {endedAt === null ? null : <Time at={endedAt} look="row" />} {endedByEmail === null ? '(expired)' : `by ${endedByEmail}`}
      </>
    ),
  },
]

/** Product as returned to callers, with its corrections and the forms that change them. */
export function ProductPage({ sourceKey }: { sourceKey: string }) {
  const { data: product } = useSuspenseQuery(useTRPC().admin.products.read.queryOptions({ sourceKey }))
  const { accountName, provider, isWithdrawn, facts, correction, former, seen } = product
  return (
    <>
      <Heading title={accountName} back={{ href: '/admin/products', name: 'Products' }}>
        <ProductTags isListed={!isWithdrawn} isCorrected={correction !== null} />
      </Heading>
      {correction === null ? null : <Current correction={correction} />}
      <DescriptionList
        items={[
          ['Provider', provider],
          ['Key', <Code key="key">{sourceKey}</Code>],
          ...facts.map(({ label, value }) => [label, value] as const),
          [
            'Public page',
            <a key="page" className="prose-link" href={`/products/${sourceKey}`}>
              View public page
            </a>,
          ],
        ]}
      />
      {correction === null ? null : <EndForm sourceKey={sourceKey} correction={correction} />}
      {correction === null && !isWithdrawn ? <CorrectionForms key={seen} product={product} /> : null}
      {former.length === 0 ? null : (
        <Section id="former" title="Earlier corrections">
          <AdminTable
            caption="Earlier corrections, newest first"
            rows={former}
            rowKey={({ begunAt }) => begunAt.toISOString()}
            columns={formerColumns}
            empty="None."
          />
        </Section>
      )}
    </>
  )
}
