import type { ReactNode } from 'react'
import { Sparkline } from '#components/charts/sparkline.tsx'
import { DataTable } from '#components/data/data-table.tsx'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { Tag } from '#components/ui/tag.tsx'
import { credits, number } from './amounts.ts'
import { KeyMenu } from './key-menu.tsx'
import { describeScopes } from './key-summary.ts'
import { isCapReached, type KeyUseDay } from './key-use.ts'

export type ShownKey = {
  readonly id: string
  readonly mode: 'test' | 'live'
  readonly name: string
  readonly hint: string
  readonly scopes: readonly string[]
  readonly state: 'active' | 'ending' | 'expired' | 'revoked'
  readonly endsAt: Date | null
  readonly usedAt: Date | null
  readonly usedFrom: string | null
  readonly spentCredits: number
  /** True if the key replaced another one. Its spend then includes that of the replaced key. */
  readonly isSuccessor: boolean
  /** Id of the key that replaced this one in a rotation; null if there is none. */
  readonly replacedBy: string | null
  readonly capCredits: number | null
  /** Name or email of the person who created the key; null if unknown. */
  readonly createdBy: string | null
}

export function ModeTag({ mode }: { mode: 'test' | 'live' }) {
  return mode === 'test' ? <Tag tone="test">Test</Tag> : <Tag tone="plain">Live</Tag>
}

export function KeyStateTag(key: Pick<ShownKey, 'state' | 'endsAt' | 'mode' | 'spentCredits' | 'capCredits' | 'replacedBy'>) {
  const { state, endsAt, replacedBy } = key
  if (isCapReached(key)) return <Tag tone="danger">Cap reached</Tag>
  if (state === 'active')
    return (
      <span className="whitespace-nowrap">
        <span aria-hidden="true" className="mr-1.5 inline-block size-2 rounded-full bg-good" />
        Active
      </span>
    )
  const end = endsAt === null ? 'soon' : <Time at={endsAt} look="minute" />
  if (state === 'ending' && replacedBy !== null)
    return (
      <span>
        <Tag tone="caution">Replaced</Tag> <span className="text-note text-ink-2">expires {end}</span>
      </span>
    )
  if (state === 'ending') return <Tag tone="caution">Expires {end}</Tag>
  return state === 'expired' ? <Tag tone="plain">Expired</Tag> : <Tag tone="plain">Revoked</Tag>
}

/** Time and IP of a key's last use. */
export function LastUse({ usedAt, usedFrom }: Pick<ShownKey, 'usedAt' | 'usedFrom'>) {
  if (usedAt === null) return 'Never'
  return (
    <span>
      <Time at={usedAt}>{ago(usedAt, new Date())}</Time>
      {usedFrom === null ? null : <span className="text-note text-ink-2 sm:block"> from {usedFrom}</span>}
    </span>
  )
}

/** Day on which a key expires, or the time if it ends within hours or days of a rotation. A dash for a key that no longer works. */
function expiry({ endsAt, state }: ShownKey): ReactNode {
  if (state !== 'active' && state !== 'ending') return '–'
  if (endsAt === null) return 'Never'
  return <Time at={endsAt} look={state === 'active' ? 'day' : 'minute'} />
}

/** Note next to the spend of a key that replaced another. */
export const oldKeyNote = ({ isSuccessor, spentCredits }: Pick<ShownKey, 'isSuccessor' | 'spentCredits'>): string | null =>
  isSuccessor && spentCredits > 0 ? 'including the previous key' : null

/** Share of the monthly cap that is spent. Decorative, because the numbers are next to it. */
function SpendBar({ share }: { share: number }) {
  return (
    <span aria-hidden="true" className="mt-1 block h-1 overflow-hidden rounded-full bg-track max-sm:mb-1.5">
      <span
        className={`block h-full rounded-full ${share >= 1 ? 'bg-danger' : share >= 0.8 ? 'bg-caution' : 'bg-accent'}`}
        style={{ width: `${Math.min(1, share) * 100}%` }}
      />
    </span>
  )
}

/** Sparkline of daily calls, and their total. */
function Use({ days, highest }: { days: readonly KeyUseDay[] | null; highest: number }) {
  if (days === null) return '–'
  const spent = days.reduce((sum, day) => sum + day.credits, 0)
  return (
    <span className="inline-flex items-center gap-2 max-sm:flex" title={`${credits(spent)} in ${days.length} days`}>
      <Sparkline values={days.map(({ calls }) => calls)} highest={highest} />
      <span className="tabular-nums">{number(days.reduce((sum, { calls }) => sum + calls, 0))}</span>
    </span>
  )
}

function Spent({ apiKey: key }: { apiKey: ShownKey }) {
  const { mode, spentCredits, capCredits } = key
  const oldKey = oldKeyNote(key)
  if (mode === 'test') return 'Free'
  return (
    <span className="max-sm:block max-sm:max-w-[44vw] max-sm:text-right">
      {capCredits === null ? credits(spentCredits) : `${number(spentCredits)} of ${credits(capCredits)}`}
      <span className="sm:hidden"> this month</span>
      {capCredits === null ? null : <SpendBar share={capCredits === 0 ? 1 : spentCredits / capCredits} />}
      {oldKey === null ? null : <span className="block text-note text-ink-2">{oldKey}</span>}
    </span>
  )
}

type Props = {
  keys: readonly ShownKey[]
  /** Daily usage by key; null if it is unknown or wasn't requested. */
  usage?: ((id: string) => readonly KeyUseDay[] | null) | null
}

/** True if a key still works after a rotation and the key that replaced it is in the same list, right above it. */
const isBelowSuccessor = ({ state, replacedBy }: ShownKey, keys: readonly ShownKey[]): boolean => state === 'ending' && keys.some(({ id }) => id === replacedBy)

/** Sorts keys so that each replaced key follows the key that replaced it. */
export function groupRotated<Key extends ShownKey>(keys: readonly Key[]): Key[] {
  const below = (id: string): Key[] => keys.filter((key) => key.replacedBy === id && isBelowSuccessor(key, keys)).flatMap((key) => [key, ...below(key.id)])
  return keys.filter((key) => !isBelowSuccessor(key, keys)).flatMap((key) => [key, ...below(key.id)])
}

/** Returns the credits that keys spent this month. Leaves out those that are included in the spend of the key that replaced them. */
export const spentByKeys = (keys: readonly ShownKey[]): number =>
  keys.filter((key) => !isBelowSuccessor(key, keys)).reduce((sum, { spentCredits }) => sum + spentCredits, 0)

const isWorking = ({ state }: ShownKey): boolean => state === 'active' || state === 'ending'

/** Returns true if a key's state is worth showing in a list: the key doesn't work, or will soon stop working. */
const hasState = (key: ShownKey): boolean => key.state !== 'active' || isCapReached(key)

/** Returns the menu of a working key; null for any other key. A replaced key can only be revoked. */
const toMenu = (key: ShownKey): ReactNode => (isWorking(key) ? <KeyMenu id={key.id} name={key.name} isActive={key.state === 'active'} /> : null)

/** API keys with permissions, last use, recent calls and spend. */
export function KeyTable({ keys, usage = null }: Props) {
  // The creator's name is redundant if the same person created all keys.
  const hasCreators = new Set(keys.map(({ createdBy }) => createdBy)).size > 1
  const hasWorking = keys.some(isWorking)
  const highest = Math.max(0, ...keys.flatMap(({ id }) => usage?.(id)?.map(({ calls }) => calls) ?? []))
  const hasStates = keys.some(hasState)
  const hasExpiry = keys.some((key) => typeof expiry(key) !== 'string')
  return (
    <DataTable
      caption="API keys"
      rows={keys}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'Name',
          isHead: true,
          cell: (key) => (
            <span className={isBelowSuccessor(key, keys) ? 'block border-l-2 border-line-strong pl-3' : ''}>
              <a className="prose-link" href={`/portal/keys/${key.id}`}>
                {key.name === '' ? 'Unnamed key' : key.name}
              </a>
              <span className="ml-2">
                <ModeTag mode={key.mode} />
              </span>
              <code className="mt-0.5 block font-mono text-note font-normal whitespace-nowrap text-ink-2">{key.hint}</code>
              {hasCreators && key.createdBy !== null ? (
                <span className="block text-note font-normal wrap-anywhere text-ink-2">Created by {key.createdBy}</span>
              ) : null}
            </span>
          ),
        },
        { name: 'Permissions', cell: ({ scopes }) => describeScopes(scopes) },
        ...(hasStates ? [{ name: 'State', isBeside: true, cell: (key: ShownKey) => (hasState(key) ? <KeyStateTag {...key} /> : null) }] : []),
        { name: 'Last used', cell: (key) => <LastUse {...key} /> },
        ...(usage === null ? [] : [{ name: 'Calls, 14 days', isNumber: true, cell: ({ id }: ShownKey) => <Use days={usage(id)} highest={highest} /> }]),
        ...(hasExpiry ? [{ name: 'Expires', cell: expiry }] : []),
        { name: 'Spent this month', isNumber: true, isBeside: true, cell: (key) => <Spent apiKey={key} /> },
        ...(hasWorking
          ? [{ name: 'Actions', heading: <span className="sr-only">Actions</span>, isBeside: true, width: 'sm:w-11 xl:w-14.5', cell: toMenu }]
          : []),
      ]}
    />
  )
}
