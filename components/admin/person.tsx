/** Who somebody is: the email that people know them by, and the id that stays when it changes. */
export function Person({ id, email }: { id: string; email: string }) {
  return (
    <span className="wrap-anywhere">
      {email} <span className="text-note font-normal text-ink-2">({id})</span>
    </span>
  )
}
