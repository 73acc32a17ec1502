import { ButtonLink } from '../ui/button.tsx'

/** What an administrator without a second factor is shown in place of the desk. */
export function SecondFactorFirst() {
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Two-factor sign-in first</h1>
      <p className="mb-6 max-w-prose">The desk needs two-factor sign-in. Turn it on in your settings, then come back.</p>
      <ButtonLink kind="primary" href="/portal/settings#second-factor">
        Turn on two-factor sign-in
      </ButtonLink>
    </>
  )
}
