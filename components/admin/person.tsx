/** Email of an account, with its permanent id. */
export function Person({ id, email }: { id: string; email: string }) {
  return (
    <span className="wrap-anywhere">
      {email} <span className="text-note font-normal text-ink-2">({id})</span>
    </span>
  )
}
