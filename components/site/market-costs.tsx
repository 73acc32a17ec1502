import { Path } from '#components/ui/phrase.tsx'

type Line = {
  readonly need: string
  readonly path: string
  readonly href: string
  readonly basis: string
  readonly credits: number
}

const grouped = new Intl.NumberFormat('en-GB')

/** Ways to read the whole market, with the cost of each. */
export function MarketCosts({ lines }: { lines: readonly Line[] }) {
  const head = 'py-2 pr-3 last:pr-0 text-left text-note font-medium text-ink-2 align-bottom'
  const cell = 'py-2.5 pr-3 last:pr-0 align-top'
  return (
    <table className="w-full border-t border-line-strong">
      <caption className="sr-only">Cost of reading the whole market</caption>
      <thead>
        <tr className="border-b border-line-strong">
          <th scope="col" className={head}>
            You need
          </th>
          <th scope="col" className={`${head} text-right`}>
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ need, path, href, basis, credits }) => (
          <tr key={path} className="border-b border-line">
            <th scope="row" className={`${cell} text-left font-normal`}>
              {need}
              <a className="prose-link mt-0.5 block text-note" href={href}>
                <Path text={path} />
              </a>
            </th>
            <td className={`${cell} text-right tabular-nums`}>
              {grouped.format(credits)}
              <span className="mt-0.5 block text-note text-ink-2">{basis}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
