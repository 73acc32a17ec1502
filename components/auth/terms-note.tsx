/** Terms that apply besides the Data Licence. */
export function TermsNote() {
  return (
    <p className="mt-4 text-note text-pretty text-ink-2">
      The{' '}
      <a className="prose-link" href="/terms">
        terms of use
      </a>{' '}
      apply to your account. The{' '}
      <a className="prose-link" href="/privacy">
        privacy notice
      </a>{' '}
      explains what we store.
    </p>
  )
}
