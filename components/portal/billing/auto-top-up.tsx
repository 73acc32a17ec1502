import { Time } from '#components/data/time.tsx'
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
export function AutoState({ auto: { isUnderWay, failures, nextTryAt, spentPence, ceilingPence } }: { auto: Auto }) {
  const spent = `${pounds(spentPence)} of ${pounds(ceilingPence)} used this month.`
  if (isUnderWay) return `A top-up is in progress. ${spent}`
  if (failures === 0) return spent
  return (
    <>
      {failures === 1 ? 'The last attempt' : `The last ${failures} attempts`} failed. After three failures in a row we turn automatic top-ups off.{' '}
      {nextTryAt === null ? null : (
        <>
          Next attempt after <Time at={nextTryAt} isStop />.{' '}
        </>
      )}
      {spent}
    </>
  )
}

/** Tells customers how to save a card. */
export function CardNeeded() {
  return (
    <p className="text-pretty">
      Automatic top-ups need a saved card.{' '}
      <a className="prose-link" href="/portal/billing/top-up">
        Top up once
      </a>{' '}
      and tick “Save this card”.
    </p>
  )
}

/** State of automatic top-ups, with a link to their settings. */
export function AutoTopUpSummary({ card, auto }: { card: Card | null; auto: Auto | null }) {
  if (card === null) return <CardNeeded />
  return (
    <>
      <p>
        {auto?.isOn
          ? `On. Tops up ${pounds(auto.amountPence)} from ${cardName(card)} when your balance falls below ${credits(auto.thresholdCredits)}.`
          : `Off. Saved card: ${cardName(card)}.`}
      </p>
      {auto?.isOn ? (
        <p className="mt-1 text-note text-ink-2">
          <AutoState auto={auto} />
        </p>
      ) : null}
      <p className="mt-3">
        <a className="prose-link" href="/portal/billing/alerts#auto-top-up">
          Change automatic top-ups
        </a>
      </p>
    </>
  )
}
