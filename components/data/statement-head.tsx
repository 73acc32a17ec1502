const look = 'py-2 text-note font-medium text-ink-2'

/** Head of a statement with running balance. */
export function StatementHead({ what }: { what: string }) {
  return (
    <thead>
      <tr className="border-b border-line-strong">
        <th scope="col" className={`${look} text-left`}>
          {what}
        </th>
        <th scope="col" className={`${look} pl-3 text-right`}>
          Credits
        </th>
        <th scope="col" className={`${look} pl-3 text-right`}>
          Balance
        </th>
      </tr>
    </thead>
  )
}
