import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { type Form, readForm } from './form.ts'
import { calls } from './shapes.ts'
import { cards, StripeLedger } from './stripe-ledger.ts'
import { getList } from './stripe-list.ts'
import { newId, type Session } from './stripe-objects.ts'

export const testKey = 'sk_test_of_the_tests'
/** Exclusive tax rate of 20%, which is added to prices. */
export const exclusiveRate = 'txr_exclusive'

type Reply = { status: number; body: object }
type Kept = { fingerprint: string; reply: Reply }

const fault = (status: number, error: object): Reply => ({ status, body: { error } })
const invalid = (message: string, code = 'parameter_invalid') => fault(400, { type: 'invalid_request_error', code, message })
/** Returns the error for a URL that refers to a non-existent object. */
const missing = (kind: string, id: string) =>
  fault(404, { type: 'invalid_request_error', code: 'resource_missing', param: 'id', message: `No such ${kind}: '${id}'` })

const noCustomer = (id: string) =>
  fault(400, { type: 'invalid_request_error', code: 'resource_missing', param: 'customer', message: `No such customer: '${id}'` })

const maxKeyLength = 255

/**
 * Test server with the part of the Stripe API that this service uses. Strictly checks the key, version, parameters and idempotency of every request.
 * Rejected requests are kept in `faults`, so that a test fails even if the code under test continues.
 */
export class StripeServer extends StripeLedger {
  readonly faults: string[] = []
  /** Every call with its parameters, in order. */
  readonly requests: { readonly call: string; readonly path: string; readonly form: Form; readonly idempotencyKey: string | null }[] = []
  /** Number of upcoming responses to lose: the request is processed, but the connection breaks before its response is sent. */
  loses = 0
  private readonly kept = new Map<string, Kept>()
  private readonly server: Server

  private constructor() {
    super()
    this.server = createServer((request, response) => void this.serve(request, response))
  }

  static async open(): Promise<StripeServer> {
    const stripe = new StripeServer()
    await new Promise<void>((resolve) => stripe.server.listen(0, '127.0.0.1', resolve))
    return stripe
  }

  get base(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { pathname, search } = new URL(request.url ?? '/', this.base)
    const form = readForm(request.method === 'POST' ? Buffer.concat(chunks).toString() : search.slice(1))
    const reply = this.answer(request, pathname, form)
    if (reply.status === 400) this.faults.push(`${request.method} ${pathname}: ${JSON.stringify(reply.body)}`)
    if (this.loses > 0) {
      this.loses -= 1
      request.socket.destroy()
      return
    }
    response.writeHead(reply.status, { 'content-type': 'application/json', 'request-id': newId('req') })
    response.end(JSON.stringify(reply.body))
  }

  private answer(request: IncomingMessage, path: string, form: Form): Reply {
    const { authorization, 'stripe-version': version, 'idempotency-key': key = null } = request.headers as Record<string, string | undefined>
    if (authorization !== `Bearer ${testKey}`) return fault(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
    if (version !== Stripe.API_VERSION) return invalid(`Unexpected Stripe-Version ${version}`)
    const call = `${request.method} ${path.replace(/\/(?:cs|pi|cus|dp|pm|txi)_[^/]+/g, '/:id')}`
    this.requests.push({ call, path, form, idempotencyKey: key })
    const check = calls[call]
    if (!check) return fault(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${call}).` })
    const faults = check(form, '')
    if (faults.length > 0) return invalid(faults.join('; '), 'parameter_unknown')
    if (request.method !== 'POST') return this.perform(call, path, form)
    if (key === null || key.length > maxKeyLength) return invalid('An idempotency key of up to 255 characters is required.')
    return this.once(key, `${call} ${JSON.stringify(form)}`, () => this.perform(call, path, form))
  }

  /** Runs a request once per idempotency key. Rejects a key that is reused for another request. */
  private once(key: string, fingerprint: string, perform: () => Reply): Reply {
    const kept = this.kept.get(key)
    if (kept && kept.fingerprint !== fingerprint) {
      return fault(400, { type: 'idempotency_error', message: 'Keys for idempotent requests can only be used with the same parameters.' })
    }
    if (kept) return kept.reply
    const reply = structuredClone(perform())
    this.kept.set(key, { fingerprint, reply })
    return reply
  }

  private perform(call: string, path: string, form: Form): Reply {
    const id = /\/((?:cs|pi|cus|dp|pm)_[^/]+)/.exec(path)?.[1] ?? ''
    switch (call) {
      case 'POST /v1/customers':
        return this.makeCustomer(form)
      case 'POST /v1/customers/:id':
        return this.updateCustomer(id, form)
      case 'GET /v1/customers/:id':
        return this.customers.has(id) ? { status: 200, body: this.customers.get(id) ?? {} } : missing('customer', id)
      case 'GET /v1/customers/:id/tax_ids':
        return { status: 200, body: { object: 'list', url: path, has_more: false, data: (this.taxIds.get(id) ?? []).map((one) => ({ id: one })) } }
      case 'DELETE /v1/customers/:id/tax_ids/:id':
        return this.deleteTaxId(id, path.split('/').at(-1) ?? '')
      case 'GET /v1/customers/:id/payment_methods':
        return this.listMethods(id)
      case 'POST /v1/payment_methods/:id/detach':
        return { status: 200, body: { id, object: 'payment_method', customer: null } }
      case 'POST /v1/checkout/sessions/:id/expire':
        return this.expireSession(id)
      case 'POST /v1/checkout/sessions':
        return this.makeSession(form)
      case 'GET /v1/checkout/sessions/:id':
        return this.readSession(id)
      case 'POST /v1/payment_intents':
        return this.makePayment(form)
      case 'GET /v1/payment_intents':
        return this.listPayments(form)
      case 'GET /v1/payment_intents/:id':
        return this.readPayment(id)
      case 'GET /v1/refunds':
        return getList(this.charges, [...this.refunds.values()], form, '/v1/refunds')
      case 'GET /v1/disputes':
        return getList(this.charges, [...this.disputes.values()], form, '/v1/disputes')
      default:
        return this.openPages(String(form['customer']))
    }
  }

  private makeCustomer(form: Form): Reply {
    const customer = { id: newId('cus'), object: 'customer', email: String(form['email']), metadata: form['metadata'] as Form }
    this.customers.set(customer.id, customer)
    return { status: 200, body: customer }
  }

  private updateCustomer(id: string, form: Form): Reply {
    const customer = this.customers.get(id)
    if (!customer) return missing('customer', id)
    // Metadata is merged.
    Object.assign(customer, form, { metadata: { ...customer.metadata, ...(form['metadata'] as Form | undefined) } })
    return { status: 200, body: customer }
  }

  private deleteTaxId(customer: string, id: string): Reply {
    const taxIds = this.taxIds.get(customer) ?? []
    if (!taxIds.includes(id)) return missing('tax_id', id)
    this.taxIds.set(
      customer,
      taxIds.filter((one) => one !== id),
    )
    return { status: 200, body: { id, object: 'tax_id', deleted: true } }
  }

  /** Lists the cards that a customer has paid with. */
  private listMethods(customer: string): Reply {
    if (!this.customers.has(customer)) return noCustomer(customer)
    const methods = [...this.payments.values()].filter((payment) => payment.customer === customer).map((payment) => payment.payment_method)
    const data = [...new Set(methods)].map((id) => ({ id, object: 'payment_method', customer }))
    return { status: 200, body: { object: 'list', url: `/v1/customers/${customer}/payment_methods`, has_more: false, data } }
  }

  /** Opens Stripe's customer portal. */
  private openPages(customer: string): Reply {
    if (!this.customers.has(customer)) return noCustomer(customer)
    return { status: 200, body: { id: newId('bps'), object: 'billing_portal.session', url: `https://billing.stripe.test/${customer}` } }
  }

  private expireSession(id: string): Reply {
    const session = this.sessions.get(id)
    if (!session) return missing('checkout.session', id)
    if (session.status !== 'open') return invalid(`This Checkout Session is ${session.status}, only an open one can be expired.`)
    session.status = 'expired'
    return { status: 200, body: session }
  }

  private makeSession(form: Form): Reply {
    const customer = String(form['customer'])
    if (!this.customers.has(customer)) return noCustomer(customer)
    const [item] = form['line_items'] as Form[]
    const price = item?.['price_data'] as Form
    const id = newId('cs')
    const session: Session = {
      id,
      object: 'checkout.session',
      client_reference_id: String(form['client_reference_id']),
      customer,
      metadata: form['metadata'] as Record<string, string>,
      amount_total: Number(price['unit_amount']) * Number(item?.['quantity']) * (String(item?.['tax_rates']) === exclusiveRate ? 1.2 : 1),
      currency: String(price['currency']),
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      invoice: null,
      livemode: false,
      url: `https://checkout.stripe.test/${id}`,
    }
    this.sessions.set(id, session)
    return { status: 200, body: session }
  }

  private readSession(id: string): Reply {
    const session = this.sessions.get(id)
    const invoice = { id: newId('in'), hosted_invoice_url: `https://invoice.stripe.test/${id}`, invoice_pdf: `https://invoice.stripe.test/${id}.pdf` }
    return session ? { status: 200, body: { ...session, invoice } } : invalid('No such session', 'resource_missing')
  }

  private listPayments(form: Form): Reply {
    const customer = form['customer']
    if (customer !== undefined && !this.customers.has(String(customer))) return noCustomer(String(customer))
    return getList(this.charges, [...this.payments.values()], form, '/v1/payment_intents')
  }

  private makePayment(form: Form): Reply {
    if (!this.customers.has(String(form['customer']))) return noCustomer(String(form['customer']))
    const method = String(form['payment_method'])
    const payment = this.addPayment(Number(form['amount']), String(form['customer']), form['metadata'] as Record<string, string>, method)
    if (method === cards.declines || method === cards.asks) {
      const code = method === cards.asks ? 'authentication_required' : 'card_declined'
      payment.status = 'requires_payment_method'
      payment.amount_received = 0
      payment.last_payment_error = { message: 'Your card was declined.' }
      return fault(402, { type: 'card_error', code, decline_code: 'generic_decline', message: 'Your card was declined.', payment_intent: payment })
    }
    if (method === cards.processes) {
      payment.status = 'processing'
      payment.amount_received = 0
    }
    return { status: 200, body: payment }
  }

  private readPayment(id: string): Reply {
    const payment = this.payments.get(id)
    if (!payment) return invalid(`No such payment_intent: '${id}'`, 'resource_missing')
    const card = { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031 }
    const method = { id: payment.payment_method, object: 'payment_method', customer: payment.customer, card }
    return { status: 200, body: { ...payment, payment_method: method, latest_charge: this.charges.get(payment.latest_charge ?? '') ?? null } }
  }
}
