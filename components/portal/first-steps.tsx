import { ButtonLink } from '#components/ui/button.tsx'

/** Next step for an account that has not made a call, in place of empty charts. */
export function FirstSteps({ hasKey }: { hasKey: boolean }) {
  return (
    <section aria-labelledby="first" className="mt-10 border-l-4 border-accent bg-accent-wash px-5 py-4">
      <h2 id="first" className="text-h2 font-semibold">
        Make your first call
      </h2>
      <p className="mt-1 max-w-[68ch] text-pretty text-ink-2">
        {hasKey
          ? 'Your test key returns sample data and is free. Copy the example call, and this page confirms when we receive it.'
          : 'No keys yet. Test keys are free and return sample data.'}
      </p>
      <p className="mt-4">
        {hasKey ? (
          <ButtonLink kind="second" href="/portal/welcome">
            Show example call
          </ButtonLink>
        ) : (
          <ButtonLink kind="second" href="/portal/keys/new">
            Create test key
          </ButtonLink>
        )}
      </p>
    </section>
  )
}
