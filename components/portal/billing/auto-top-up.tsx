import type { ReactNode } from 'react'
import { Time } from '#components/data/time.tsx'
import { ChangeLink } from '#components/ui/change-link.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { pounds } from '#server/api/contract/price-kinds.ts'
import { credits } from '../amounts.ts'

export type Card = { readonly brand: string; readonly last4: string; readonly expires: string }

/** Formats a card: `Visa ending 4242`. */
export const cardName = ({ brand, last4 }: Card): string => `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending ${last4}`

export type Auto = {
  readonly isOn: boolean
  readonly thresholdCredits: number
  readonly amountPence: number
  readonly ceilingPence: number
  readonly spentPence: number
  readonly failures: number
  readonly nextTryAt: string | null
  readonly isUnderWay: boolean
}

/** Current state of automatic top-ups. */
export function AutoState({ auto: { isOn, isUnderWay, failures, nextTryAt, spentPence, ceilingPence } }: { auto: Auto }) {
  const spent = `${pounds(spentPence)} of ${pounds(ceilingPence)} used this month.`
  if (isUnderWay) return `A top-up is in progress. ${spent}`
  if (failures === 0) return spent
  return (
    <>
      {failures === 1 ? 'The last attempt' : `The last ${failures} attempts`} failed.{' '}
      {isOn ? 'After three failures in a row, we turn automatic top-ups off. ' : null}
      {!isOn || nextTryAt === null ? null : (
        <>
          Next attempt after <Time at={nextTryAt} isStop />.{' '}
        </>
      )}
      {spent}
    </>
  )
}

type PanelProps = { title?: ReactNode; isOn: boolean; action: { readonly href: string; readonly name: string }; children: ReactNode }

/** Panel with the state of automatic top-ups, and the way to change it. */
function AutoPanel({ title, isOn, action, children }: PanelProps) {
  const tag = <Tag tone={isOn ? 'good' : 'plain'}>{isOn ? 'On' : 'Off'}</Tag>
  return (
    <div className="flex flex-col items-start justify-between gap-4 rounded-panel border border-line px-5 py-4">
      <div className="min-w-0">
        <div className="flex items-center gap-2.5">
          {title}
          {tag}
        </div>
        <div className="mt-1 text-pretty text-ink-2">{children}</div>
      </div>
      <ChangeLink kind="second" size="compact" href={action.href}>
        {action.name}
      </ChangeLink>
    </div>
  )
}

/** Tells customers how to save a card. */
export function CardNeeded({ title }: { title?: ReactNode }) {
  return (
    <AutoPanel title={title} isOn={false} action={{ href: '/portal/billing/top-up?card=save', name: 'Top up and save a card' }}>
      <p>Automatic top-ups need a saved card. Top up once and tick “Save this card for automatic top-ups”, then turn on automatic top-ups here.</p>
    </AutoPanel>
  )
}

/** State of automatic top-ups, with a link to their settings. */
export function AutoTopUpSummary({ card, auto }: { card: Card | null; auto: Auto | null }) {
  const title = (
    <h2 id="auto-top-up-title" className="text-h2 font-semibold">
      Automatic top-ups
    </h2>
  )
  const isOn = auto?.isOn ?? false
  return (
    <section id="auto-top-up" aria-labelledby="auto-top-up-title" className="grid">
      {card === null ? (
        <CardNeeded title={title} />
      ) : (
        <AutoPanel title={title} isOn={isOn} action={{ href: '/portal/billing/alerts#auto-top-up', name: isOn ? 'Change' : 'Turn on' }}>
          <p>
            {auto?.isOn
              ? `Adds ${pounds(auto.amountPence)} from ${cardName(card)} when your balance falls below ${credits(auto.thresholdCredits)}.`
              : `Saved card: ${cardName(card)}.`}
          </p>
          {auto?.isOn ? (
            <p className="mt-1 text-note">
              A top-up doesn't raise your monthly cap. <AutoState auto={auto} />
            </p>
          ) : null}
        </AutoPanel>
      )}
    </section>
  )
}
