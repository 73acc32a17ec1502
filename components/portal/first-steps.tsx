import { ButtonLink } from '#components/ui/button.tsx'

/** Instead of empty charts: the next thing to do for an account that has not made a call. */
export function FirstSteps({ hasKey }: { hasKey: boolean }) {
  return (
    <section aria-labelledby="first" className="mt-10 border-l-4 border-accent bg-accent-wash px-5 py-4">
      <h2 id="first" className="text-h2 font-semibold">
        Make your first call
      </h2>
      <p className="mt-1 max-w-[68ch] text-pretty text-ink-2">
        {hasKey
          ? 'Your test key reads sample data and costs nothing. Copy a call, and this portal tells you when it arrives.'
          : 'No keys yet. A test key is free and returns sample data.'}
      </p>
      <p className="mt-4">
        {hasKey ? (
          <ButtonLink kind="second" href="/portal/welcome">
            Show me the call
          </ButtonLink>
        ) : (
          <ButtonLink kind="second" href="/portal/keys/new">
            Make a test key
          </ButtonLink>
        )}
      </p>
    </section>
  )
}
