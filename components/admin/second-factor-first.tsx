import { ButtonLink } from '#components/ui/button.tsx'

/** Shown in place of the admin area until the session has presented a second factor. */
export function SecondFactorFirst({ isSetUp }: { isSetUp: boolean }) {
  if (isSetUp)
    return (
      <>
        <h1 className="mb-6 text-h1 font-semibold tracking-tight">Enter your code first</h1>
        <p className="mb-6 max-w-prose">You signed in without a code from your app. Enter one to open the admin area.</p>
        <ButtonLink kind="primary" href="/sign-in/confirm?next=/admin">
          Enter a code
        </ButtonLink>
      </>
    )
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Two-factor sign-in first</h1>
      <p className="mb-6 max-w-prose">The admin area needs two-factor sign-in. Turn it on in your settings, then come back.</p>
      <ButtonLink kind="primary" href="/portal/settings#second-factor">
        Turn on two-factor sign-in
      </ButtonLink>
    </>
  )
}
