const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

/** Formats a time: `21 November 2026 at 07:42 UTC`. `at` is ISO 8601. */
export function DateTime({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at}>
      {day.format(date)} at {time.format(date)} UTC
    </time>
  )
}

/** Formats a day: `21 November 2026`. `on` is ISO 8601. */
export function Day({ on }: { on: string }) {
  return <time dateTime={on}>{day.format(new Date(on))}</time>
}
