'use client'

import { monthName } from '#components/data/time-format.ts'
import { goTo } from '#components/forms/go-to.ts'
import { Select } from '#components/ui/select.tsx'
import { filterBox, Labelled } from '../filter-select.tsx'

/** Opens the statement of a month. Without `shown`, no month is chosen yet. */
export function MonthSelect({ months, shown = null }: { months: readonly string[]; shown?: string | null }) {
  if (months.length === 0) return null
  return (
    <div className="w-48 print:hidden">
      <Labelled label="Monthly statement">
        <Select
          value={shown ?? ''}
          onChange={(event) => goTo(event.currentTarget.value === '' ? '/portal/billing/statement' : `/portal/billing/statements/${event.currentTarget.value}`)}
          className={filterBox}
        >
          <option value="">{shown === null ? 'Choose a month' : 'Latest transactions'}</option>
          {months.map((month) => (
            <option key={month} value={month}>
              {monthName(month)}
            </option>
          ))}
        </Select>
      </Labelled>
    </div>
  )
}
