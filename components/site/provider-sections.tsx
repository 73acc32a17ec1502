import { formatDay } from './formats.tsx'

type Score = { readonly percent: number; readonly rank: number; readonly jointRank: boolean; readonly rankOf: number } | null

export type SurveyData = {
  readonly survey: string
  readonly publisher: string
  readonly region: 'GB' | 'NI'
  readonly periodStart: string
  readonly periodEnd: string
  readonly overall: Score
  readonly onlineAndMobile: Score
  readonly overdraft: Score
  readonly branch: Score
}

const regions = { GB: 'Great Britain', NI: 'Northern Ireland' } as const

/** Formats a rank: `2 of 17`, or `=2 of 17` for a joint rank, as in the survey's own tables. */
const rankText = ({ rank, jointRank, rankOf: of }: NonNullable<Score>) => `${jointRank ? '=' : ''}${rank} of ${of}`

function ScoreRow({ name, score }: { name: string; score: Score }) {
  const cell = 'py-2.5 pl-3 text-right tabular-nums'
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-2.5 text-left font-normal">
        {name}
      </th>
      <td className={cell}>{score === null ? 'Too few responses' : `${score.percent}%`}</td>
      <td className={cell}>{score === null ? '–' : rankText(score)}</td>
    </tr>
  )
}

/** A provider's survey results in one region. */
export function ServiceQuality({ survey }: { survey: SurveyData }) {
  const head = 'py-2 text-note font-medium text-ink-2'
  return (
    <div className="min-w-0">
      <table className="w-full border-t border-line-strong">
        <caption className="pb-3 text-left text-h2 font-semibold">{regions[survey.region]}</caption>
        <thead>
          <tr className="border-b border-line-strong">
            <th scope="col" className={`${head} text-left`}>
              Would recommend
            </th>
            <th scope="col" className={`${head} pl-3 text-right`}>
              Customers
            </th>
            <th scope="col" className={`${head} pl-3 text-right`}>
              Rank
            </th>
          </tr>
        </thead>
        <tbody>
          <ScoreRow name="Overall service" score={survey.overall} />
          <ScoreRow name="Online and mobile" score={survey.onlineAndMobile} />
          <ScoreRow name="Overdraft" score={survey.overdraft} />
          <ScoreRow name="Branches" score={survey.branch} />
        </tbody>
      </table>
      <p className="mt-3 text-note text-ink-2">
        {survey.survey}, {survey.publisher}, {formatDay(survey.periodStart)} to {formatDay(survey.periodEnd)}.
      </p>
    </div>
  )
}

export type ProductRow = {
  readonly sourceKey: string
  readonly accountName: string
  readonly accountType: string
  readonly rate: string
  readonly boostRate: string
  readonly baseRate: string
  readonly boostDuration: string | null
  readonly access: string
}

const bonusText = ({ boostRate, boostDuration, baseRate }: ProductRow) =>
  Number(boostRate) === 0 ? null : `${boostRate}% bonus${boostDuration === null ? '' : ` for ${boostDuration}`}, then ${baseRate}%`

function Row({ row }: { row: ProductRow }) {
  const bonus = bonusText(row)
  return (
    <tr className="border-b border-line align-top">
      <th scope="row" className="py-2.5 pr-3 text-left font-normal">
        <a className="prose-link" href={`/products/${encodeURIComponent(row.sourceKey)}`}>
          {row.accountName}
        </a>
        <span className="mt-0.5 block text-note text-ink-2 sm:hidden">{row.accountType}</span>
        {bonus === null ? null : <span className="mt-0.5 block text-note text-ink-2">{bonus}</span>}
      </th>
      <td className="hidden py-2.5 pr-3 sm:table-cell">{row.accountType}</td>
      <td className="hidden py-2.5 pr-3 text-ink-2 md:table-cell">{row.access}</td>
      <td className="py-2.5 text-right font-medium tabular-nums">{row.rate}%</td>
    </tr>
  )
}

/** Products with their rates, each linked to its page. */
export function ProductRows({ caption, rows }: { caption: string; rows: readonly ProductRow[] }) {
  const head = 'py-2 pr-3 text-left text-note font-medium text-ink-2'
  return (
    <table className="w-full border-t border-line-strong">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line-strong">
          <th scope="col" className={head}>
            Account
          </th>
          <th scope="col" className={`${head} hidden sm:table-cell`}>
            Type
          </th>
          <th scope="col" className={`${head} hidden md:table-cell`}>
            Access
          </th>
          <th scope="col" className="py-2 text-right text-note font-medium text-ink-2">
            Rate, AER
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.sourceKey} row={row} />
        ))}
      </tbody>
    </table>
  )
}
