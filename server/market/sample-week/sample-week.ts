import { changingOffer, changingProducts, isListed, isRaised, plainRate, raisedBonus, toWeekday } from '#server/api/contract/sample-week.ts'
import type { FeedFile } from '../generate/generate-market.ts'

type Row = Readonly<Record<string, unknown>>

/** Easy-access products that are not in the sample files. Each is made from a product in the files, with these values instead. */
const extraProducts: readonly { readonly from: string; readonly values: Row & { readonly sourceKey: string } }[] = [
  {
    from: 'dormer-isle-easy-access-0e21',
    values: {
      ...{ sourceKey: 'dormer-isle-easy-access-5d90', accountName: 'Limited Issue Saver', ...plainRate('2.60') },
      url: 'https://dormer-isle.example/savings/easy-access/limited-issue-saver',
    },
  },
  {
    from: 'wynfarrow-easy-access-7edb',
    values: {
      ...{ sourceKey: 'wynfarrow-easy-access-3c1e', accountName: 'Online Saver', ...plainRate('3.05') },
      url: 'https://wynfarrow.example/savings/easy-access/online-saver',
    },
  },
  {
    from: 'copsemallow-easy-access-d94a',
    values: {
      ...{ sourceKey: 'copsemallow-easy-access-8b47', accountName: 'Weekend Saver', ...plainRate('2.20') },
      url: 'https://copsemallow.example/savings/easy-access/weekend-saver',
    },
  },
]

function changeProducts(rows: readonly Row[], weekday: number): Row[] {
  const extra = extraProducts.map(({ from, values }) => {
    const row = rows.find(({ sourceKey }) => sourceKey === from)
    if (row === undefined) throw new Error(`The sample files have no product ${from}.`)
    return { ...row, ...values }
  })
  return [...rows, ...extra]
    .filter(({ sourceKey }) => isListed(String(sourceKey), weekday))
    .map((row) => ({ ...row, ...changingProducts[String(row['sourceKey'])]?.[weekday] }))
}

const changeOffers = (rows: readonly Row[], weekday: number): Row[] =>
  rows.map((row) => (row['offerKey'] === changingOffer && isRaised(weekday) ? { ...row, ...raisedBonus } : row))

const changes: Readonly<Record<string, (rows: readonly Row[], weekday: number) => Row[]>> = {
  'products.ndjson': changeProducts,
  'switch-offers.ndjson': changeOffers,
}

/**
 * Returns the sample files of a day (ISO date, UTC) that differ from day to day: products and switch offers. The result depends only on the files and the
 * weekday, so every process and every installation has the same sample market on the same day.
 */
export function getSampleDay(files: readonly FeedFile[], day: string): FeedFile[] {
  const weekday = toWeekday(day)
  return files.flatMap(({ fileName, text }) => {
    const change = changes[fileName]
    if (change === undefined) return []
    const rows = text.trim().split('\n')
    const changed = change(
      rows.map((line) => JSON.parse(line) as Row),
      weekday,
    )
    return [{ fileName, text: `${changed.map((row) => JSON.stringify(row)).join('\n')}\n` }]
  })
}
