import type { ReactNode } from 'react'
import { Time } from '#components/data/time.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { ChangeLink } from '#components/ui/change-link.tsx'
import { Figure, FigureStrip, Meter } from '#components/ui/figures.tsx'
import { Hint } from '#components/ui/hint.tsx'
import { credits, number, percent, pounds } from './amounts.ts'
import { anyRequest, requestsHref } from './request-view.ts'
import type { Amounts } from './usage-charts.tsx'
import { errorTone } from './usage-view.ts'

type Overview = {
  readonly balanceCredits: number
  readonly creditsToday: number
  readonly callsToday: number
  readonly callsPerDay: number
  readonly daysLeft: number | null
  readonly creditsPerDay: number | null
  readonly paceDays: number
  readonly asOf: Date
}

const unit = (count: number): string => (Math.abs(count) === 1 ? 'credit' : 'credits')

const dayMs = 86_400_000

/** Full days of usage that the estimate needs. */
const minPaceDays = 3

/** Minimum number of days that the balance should last; below it, the figure is amber and a top-up is suggested. */
const lowDays = 7

/** Days up to which a date without its year is unambiguous. */
const maxShortDays = 300

function paceNote({ daysLeft, paceDays, asOf }: Overview): ReactNode {
  if (paceDays < minPaceDays) return `Shown after ${minPaceDays} full days of usage.`
  if (daysLeft === null) return `No spend in the last ${paceDays} days.`
  return (
    <>
      until about <Time at={new Date(asOf.getTime() + daysLeft * dayMs)} look={daysLeft > maxShortDays ? 'day' : 'short day'} />{' '}
      <Hint id="days-left" label="How days left are estimated">
        Based on the last {paceDays} full days. Credits never expire.
      </Hint>
    </>
  )
}

/** Returns the next midnight UTC, when daily limits reset. */
const nextDay = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))

function DaysLeft({ overview }: { overview: Overview }) {
  const { daysLeft } = overview
  return (
    <Figure
      name="Days left"
      value={daysLeft === null ? '–' : number(daysLeft)}
      tone={daysLeft !== null && daysLeft < lowDays ? 'caution' : undefined}
      note={paceNote(overview)}
    />
  )
}

type Cap = { readonly capCredits: number | null; readonly spentCredits: number }

/** Balance, the month's spend with its cap, and the number of days the balance will last. */
export function BillingFigures({ overview, spendCap: { capCredits, spentCredits } }: { overview: Overview; spendCap: Cap }) {
  const { balanceCredits } = overview
  return (
    <FigureStrip count={3}>
      <Figure name="Balance" value={number(balanceCredits)} note={`${unit(balanceCredits)} · ${pounds(balanceCredits)}`} />
      <Figure
        name="Spent this month (UTC)"
        value={number(spentCredits)}
        tone={capCredits !== null && spentCredits >= capCredits ? 'danger' : undefined}
        note={
          <>
            {unit(spentCredits)} · {pounds(spentCredits)}
            <span className="max-sm:hidden"> · </span>
            <a className="prose-link w-fit max-sm:block" href="/portal/billing/alerts#cap">
              {capCredits === null ? 'Set a cap' : `Cap: ${credits(capCredits)}`}
            </a>
          </>
        }
      />
      <DaysLeft overview={overview} />
    </FigureStrip>
  )
}

/** Calls that failed in the last 24 hours, with a link to them. */
function Errors({ lastDay }: { lastDay: Amounts }) {
  const { calls, rejected, failed } = lastDay
  const errors = rejected + failed
  return (
    <Figure
      name="Errors, 24 h"
      value={number(errors)}
      tone={errorTone(lastDay)}
      note={
        <>
          {calls === 0 ? 'No calls' : percent(errors, calls)}
          {calls === 0 ? null : <span className={errors === 0 ? undefined : 'max-xl:hidden'}>{` of ${number(calls)} ${calls === 1 ? 'call' : 'calls'}`}</span>}
          {errors === 0 ? null : (
            <>
              {' · '}
              <a className="prose-link" href={requestsHref({ ...anyRequest, status: 'failed', last: '24h' })}>
                Show errors
              </a>
            </>
          )}
        </>
      }
    />
  )
}

/**
 * Number of days the balance will last, today's usage, the daily limit and errors. The balance itself is in the top bar. `lastDay` contains the calls of the
 * last 24 hours; null if they couldn't be loaded.
 */
export function AccountFigures({ overview, lastDay }: { overview: Overview; lastDay: Amounts | null }) {
  const { creditsToday, creditsPerDay, callsToday, callsPerDay, asOf } = overview
  return (
    <FigureStrip count={lastDay === null ? 3 : 4}>
      <DaysLeft overview={overview} />
      <Figure
        name="Credits today (UTC)"
        value={number(creditsToday)}
        note={`${pounds(creditsToday)}${creditsPerDay === null ? '' : ` · average ${number(creditsPerDay)}`}`}
      />
      <Figure
        name="Live calls today (UTC)"
        value={
          <span className="flex items-center gap-x-2 max-sm:flex-wrap">
            {number(callsToday)}
            <span className="text-note font-normal tracking-normal whitespace-nowrap text-ink-2">of {number(callsPerDay)}</span>
            <span className="min-w-6 grow max-sm:basis-full">
              <Meter value={callsToday} max={callsPerDay} />
            </span>
          </span>
        }
        tone={callsToday >= callsPerDay ? 'danger' : undefined}
        note={
          <>
            Resets at <Time at={nextDay(asOf)} look="hour" />
          </>
        }
      />
      {lastDay === null ? null : <Errors lastDay={lastDay} />}
    </FigureStrip>
  )
}

/** Next step for an account that has not made a call, in place of empty charts. */
export function FirstSteps({ hasKey, mayCreateKeys }: { hasKey: boolean; mayCreateKeys: boolean }) {
  if (!(hasKey || mayCreateKeys)) return <p className="mt-10 text-ink-2">No keys yet. The owner or a developer can create one.</p>
  return (
    <section aria-labelledby="first" className="mt-10 rounded-panel border border-accent bg-accent-wash px-5 py-4">
      <h2 id="first" className="text-h2 font-semibold">
        Make your first call
      </h2>
      <p className="mt-1 max-w-[68ch] text-pretty text-ink-2">
        {hasKey
          ? 'Your test key returns sample data and is free. Open the example and run it: the page shows when your call arrives.'
          : 'No keys yet. Test keys are free and return sample data.'}
      </p>
      <p className="mt-4">
        {hasKey ? (
          <ButtonLink kind="second" size="compact" href="/portal/welcome">
            Show example call
          </ButtonLink>
        ) : (
          <ChangeLink kind="second" size="compact" href="/portal/keys/new">
            Create test key
          </ChangeLink>
        )}
      </p>
    </section>
  )
}

type Runway = { readonly balanceCredits: number; readonly creditsToday: number; readonly daysLeft: number | null }

type Permissions = { readonly mayCreateKeys: boolean; readonly mayTopUp: boolean }

/**
 * Returns the main action: top up if credits are low, else create a key; null if the role allows neither. Without an estimate of the days left, credits are low
 * if today's usage is at least the balance.
 */
export function nextAction(
  { balanceCredits, creditsToday, daysLeft }: Runway,
  { mayCreateKeys, mayTopUp }: Permissions,
): { href: string; name: string } | null {
  const isLow = balanceCredits <= 0 || (daysLeft === null ? creditsToday >= balanceCredits : daysLeft < lowDays)
  if (mayTopUp && (isLow || !mayCreateKeys)) return { href: '/portal/billing/top-up', name: 'Top up' }
  return mayCreateKeys ? { href: '/portal/keys/new', name: 'Create key' } : null
}
