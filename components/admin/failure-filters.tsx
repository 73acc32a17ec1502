import { Button, ButtonLink } from '#components/ui/button.tsx'
import { eventTypes } from '#server/api/contract/events.ts'
import { type FailureView, failureKinds, failureLabels } from './failure-view.ts'
import { filterBox, Labelled } from './labelled.tsx'

/** Filters of failed deliveries. A GET form, so it works without JavaScript. `hasAccount` adds a filter by account. */
export function FailureFilters({ path, view, hasAccount }: { path: string; view: FailureView; hasAccount: boolean }) {
  return (
    <search>
      <form action={path} className="mb-4 grid grid-cols-1 items-end gap-3 border-y border-line py-4 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1.5fr_auto]">
        <Labelled label="State">
          <select name="state" defaultValue={view.kind} className={filterBox}>
            {failureKinds.map((kind) => (
              <option key={kind} value={kind}>
                {failureLabels[kind]}
              </option>
            ))}
          </select>
        </Labelled>
        <Labelled label="Event">
          <select name="type" defaultValue={view.type ?? ''} className={filterBox}>
            <option value="">All events</option>
            {eventTypes.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        </Labelled>
        {hasAccount ? (
          <Labelled label="Account">
            <input
              name="account"
              defaultValue={view.account ?? ''}
              placeholder="acc_…"
              spellCheck={false}
              autoComplete="off"
              autoCapitalize="none"
              maxLength={64}
              className={`${filterBox} font-mono`}
            />
          </Labelled>
        ) : null}
        <div className="flex flex-wrap gap-3">
          <Button kind="second" type="submit">
            Find deliveries
          </Button>
          {view.type === null && view.account === null && view.kind === 'dead' ? null : (
            <ButtonLink kind="second" href={path}>
              Show all dead deliveries
            </ButtonLink>
          )}
        </div>
      </form>
    </search>
  )
}
