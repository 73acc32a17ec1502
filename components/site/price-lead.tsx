import { type Estimate, PriceEstimator } from './price-estimator.tsx'

type PriceFigure = { readonly value: string; readonly name: string; readonly note: string }

type Props = {
  figures: readonly PriceFigure[]
  /** Price of a row, and the terms of a new account. */
  example: string
  estimate: Estimate
}

/** Prices at a glance: three figures, next to an estimator with the way to start. */
export function PriceLead({ figures, example, estimate }: Props) {
  return (
    <div className="grid items-start gap-x-12 gap-y-6 lg:grid-cols-[5fr_6fr] lg:grid-rows-[auto_1fr]">
      <div>
        <h1 className="text-hero font-semibold tracking-tight text-balance">Pay for the rows you read.</h1>
        <p className="mt-4 text-prose text-pretty text-ink-2">{example}</p>
      </div>
      <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <PriceEstimator {...estimate} />
      </div>
      <dl className="border-t border-line">
        {figures.map(({ value, name, note }) => (
          <div key={name} className="grid grid-cols-[6.5rem_1fr] items-baseline gap-x-4 border-b border-line py-2.5">
            <dt className="order-2">{name}</dt>
            <dd className="order-1 text-h2 font-semibold tabular-nums">{value}</dd>
            <dd className="order-3 col-start-2 text-note text-pretty text-ink-2">{note}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
