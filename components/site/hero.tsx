/** Headline and price. */
export function Hero({ creditPence, starterCredits }: { creditPence: number; starterCredits: number }) {
  return (
    <div>
      <h1 className="text-hero font-semibold tracking-tight text-balance">UK savings rates as an API.</h1>
      <p className="mt-4 max-w-[44rem] text-prose text-ink-2 text-pretty">
        <strong className="font-semibold text-ink">Pay for what you read.</strong> 1 credit = {creditPence}p. {starterCredits} free to start. Credits never
        expire. Errors, 304s and test calls are free.
      </p>
    </div>
  )
}
