/** Sample code that uses the client. Comments mark the lines that must not compile. */
export const consumer = `
import { SavingsRates, SavingsRatesError, verifyWebhook, WebhookError, type ErrorCode, type SavingsProduct, type WebhookEvent } from 'savings-rates-client'

export async function use(apiKey: string, baseUrl: string) {
  const client = new SavingsRates({ apiKey, baseUrl, maxCredits: 20 })
  const list = await client.ratesList({ type: 'easy-access', limit: 2 })
  const [best]: SavingsProduct[] = list.data
  if (!best) throw new Error('The list is empty.')
  const next: string | null = list.meta.nextCursor
  const one = await client.ratesGet({ sourceKey: best.sourceKey })
  const name: string = one.data.accountName
  const maybe = await client.ratesGet({ sourceKey: best.sourceKey }, { ifNoneMatch: one.etag ?? '' })
  // @ts-expect-error: the data may be missing
  const guess = () => maybe.data.accountName
  if (maybe.status === 200) throw new Error('It changed.')
  const none: null = maybe.data
  // @ts-expect-error: the product key is missing
  const missing = () => client.ratesGet({})
  // @ts-expect-error: no such account type
  const typo = await client.ratesList({ type: 'easy-acces' }).catch((error: unknown) => error)
  // @ts-expect-error: no such option
  const wrong = () => client.ratesList({}, { maxCredit: 5 })
  // @ts-expect-error: this endpoint has no parameters
  const idle = () => client.servicePing({ limit: 5 })
  // @ts-expect-error: this endpoint has no pages
  const iterate = () => client.iterate('ratesGet')
  let code: ErrorCode | 'none' = 'none'
  if (typo instanceof SavingsRatesError && typo.body?.error === 'invalid_request') code = typo.body.error
  const rows: string[] = []
  for await (const { sourceKey } of client.iterate('ratesList', { fields: ['sourceKey'] }, { maxRows: 3 })) rows.push(sourceKey)
  const fault = await verifyWebhook({ body: '{}', headers: {}, secret: 'whsec_x' }).catch((error: unknown) => error)
  const describe = (event: WebhookEvent): string => (event.type === 'balance.low' ? event.data.topUp : event.type === 'rate.changed' ? event.data.sourceKey : event.id)
  return { next: typeof next, same: name === best.accountName, none, code, rows: rows.length, fault: fault instanceof WebhookError ? fault.reason : null, unused: [guess, missing, wrong, idle, iterate, describe].length }
}
`
