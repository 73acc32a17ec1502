/** What holds beside the licence that is ticked. */
export function TermsWords() {
  return (
    <p className="mt-4 text-note text-pretty text-ink-2">
      The{' '}
      <a className="prose-link" href="/terms">
        terms of use
      </a>{' '}
      apply to an account.{' '}
      <a className="prose-link" href="/privacy">
        Privacy
      </a>{' '}
      says what we keep.
    </p>
  )
}
