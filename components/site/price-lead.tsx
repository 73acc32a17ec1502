import { ButtonLink } from '#components/ui/button.tsx'
import { Figure } from './figure.tsx'

type PriceFigure = { readonly value: string; readonly name: string; readonly note: string }

type Props = {
  figures: readonly PriceFigure[]
  /** Price of a typical call, and the free credits of a new account. */
  example: string
  /** Cost of a month at volume. */
  volume: string
}

/** Prices at a glance: three figures, an example and the way to start. */
export function PriceLead({ figures, example, volume }: Props) {
  return (
    <>
      <dl className="mt-6 grid gap-6 sm:grid-cols-3">
        {figures.map(({ value, name, note }) => (
          <Figure key={name} value={value} name={name}>
            {note}
          </Figure>
        ))}
      </dl>
      <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-4">
        <ButtonLink kind="primary" href="/sign-up">
          Create account
        </ButtonLink>
        <p className="text-pretty max-sm:order-first">
          {example}
          <span className="block text-ink-2">{volume} Live keys work after we approve your account.</span>
        </p>
      </div>
    </>
  )
}
