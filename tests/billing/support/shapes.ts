import type { Stripe } from 'stripe'
import type { Form } from './form.ts'

/** Function that checks a value. Returns one sentence per error, or an empty list if the value is valid. */
type Check = (value: Form | string | (Form | string)[] | undefined, at: string) => string[]

const leaf =
  (is: (text: string) => boolean, what: string): Check =>
  (value, at) =>
    typeof value === 'string' && is(value) ? [] : [`${at} must be ${what}, not ${JSON.stringify(value)}`]

const text = (most = 5_000) => leaf((value) => value.length > 0 && value.length <= most, 'a string')
const int = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  leaf((value) => /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most, 'an integer')
const flag = leaf((value) => value === 'true' || value === 'false', 'a boolean')
const is = (...values: string[]) => leaf((value) => values.includes(value), values.join(' or '))
const id = (prefix: string) => leaf((value) => value.startsWith(`${prefix}_`), `an id ${prefix}_…`)
const url = leaf((value) => URL.canParse(value), 'an address')

const list =
  (item: Check, most: number): Check =>
  (value, at) =>
    Array.isArray(value) && value.length > 0 && value.length <= most ? value.flatMap((one, index) => item(one, `${at}[${index}]`)) : [`${at} must be a list`]

/** Checks metadata against two Stripe limits: 40 characters per name and 500 per value. */
const metadata: Check = (value, at) =>
  typeof value === 'object' && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, one]) =>
        typeof one === 'string' && one.length <= 500 && name.length <= 40 ? [] : [`${at}[${name}] must be a string within the metadata limits`],
      )
    : [`${at} must be an object`]

/**
 * Checks that an object has these parameters and no others. The compiler checks the names against the SDK's types, which are generated from Stripe's own API
 * description, so a parameter unknown to Stripe cannot be listed here.
 */
function shape<Params extends object>(fields: { readonly [Name in keyof Params]?: Check }, required: readonly (keyof Params & string)[]): Check {
  const checks = fields as Record<string, Check | undefined>
  return (value, at) => {
    if (typeof value !== 'object' || Array.isArray(value)) return [`${at} must be an object`]
    const missing = required.filter((name) => value[name] === undefined).map((name) => `Missing required param: ${at}${name}`)
    const wrong = Object.entries(value).flatMap(([name, one]) => checks[name]?.(one, `${at}${name}`) ?? [`Received unknown parameter: ${at}${name}`])
    return [...missing, ...wrong]
  }
}

type SessionParams = Stripe.Checkout.SessionCreateParams
type LineItem = SessionParams['line_items'] extends readonly (infer Item)[] | undefined ? Item : never
type PriceData = NonNullable<LineItem['price_data']>
type InvoiceCreation = NonNullable<SessionParams['invoice_creation']>

type InvoiceData = NonNullable<InvoiceCreation['invoice_data']>

const priceData = shape<PriceData>(
  {
    currency: is('gbp'),
    unit_amount: int(30, 99_999_999),
    product_data: shape<NonNullable<PriceData['product_data']>>({ name: text(), description: text() }, ['name']),
  },
  ['currency'],
)

const empty = leaf((value) => value.length <= 5_000, 'a string')
const address = shape<Stripe.AddressParam>(
  { line1: text(), line2: empty, city: text(), postal_code: empty, country: leaf((value) => /^[A-Z]{2}$/.test(value), 'a country') },
  [],
)

/** Checks for the parameters of each Stripe call that this service makes. */
export const calls: Readonly<Record<string, Check>> = {
  'POST /v1/customers': shape<Stripe.CustomerCreateParams>({ email: text(512), metadata }, []),
  'POST /v1/customers/:id': shape<Stripe.CustomerUpdateParams>(
    { email: text(512), name: leaf((value) => value.length <= 256, 'a string'), address: (value, at) => (value === '' ? [] : address(value, at)), metadata },
    [],
  ),
  'GET /v1/customers/:id': shape<Stripe.CustomerRetrieveParams>({}, []),
  'GET /v1/customers/:id/tax_ids': shape<Stripe.CustomerListTaxIdsParams>({ limit: int(1, 100) }, []),
  'DELETE /v1/customers/:id/tax_ids/:id': shape<Stripe.CustomerDeleteTaxIdParams>({}, []),
  'GET /v1/customers/:id/payment_methods': shape<Stripe.CustomerListPaymentMethodsParams>({ limit: int(1, 100) }, []),
  'POST /v1/payment_methods/:id/detach': shape<Stripe.PaymentMethodDetachParams>({}, []),
  'POST /v1/checkout/sessions/:id/expire': shape<Stripe.Checkout.SessionExpireParams>({}, []),
  'POST /v1/checkout/sessions': shape<SessionParams>(
    {
      mode: is('payment'),
      submit_type: is('pay'),
      locale: is('en-GB'),
      customer: id('cus'),
      customer_update: shape<NonNullable<SessionParams['customer_update']>>({ name: is('auto'), address: is('auto') }, []),
      client_reference_id: text(200),
      metadata,
      line_items: list(shape<LineItem>({ quantity: int(1), price_data: priceData, tax_rates: list(id('txr'), 5) }, []), 100),
      payment_intent_data: shape<NonNullable<SessionParams['payment_intent_data']>>(
        { description: text(1_000), metadata, setup_future_usage: is('off_session') },
        [],
      ),
      invoice_creation: shape<InvoiceCreation>(
        {
          enabled: flag,
          invoice_data: shape<InvoiceData>(
            { metadata, custom_fields: list(shape<{ name: string; value: string }>({ name: text(40), value: text(140) }, ['name', 'value']), 4) },
            [],
          ),
        },
        ['enabled'],
      ),
      adaptive_pricing: shape<NonNullable<SessionParams['adaptive_pricing']>>({ enabled: flag }, []),
      allow_promotion_codes: flag,
      billing_address_collection: is('auto', 'required'),
      tax_id_collection: shape<NonNullable<SessionParams['tax_id_collection']>>({ enabled: flag }, ['enabled']),
      expires_at: (value, at) => int(Math.floor(Date.now() / 1_000) + 1_800, Math.floor(Date.now() / 1_000) + 86_400)(value, at),
      success_url: url,
      cancel_url: url,
    },
    ['mode', 'success_url', 'line_items'],
  ),
  'GET /v1/checkout/sessions/:id': shape<Stripe.Checkout.SessionRetrieveParams>({ expand: list(is('invoice'), 4) }, []),
  'POST /v1/payment_intents': shape<Stripe.PaymentIntentCreateParams>(
    {
      amount: int(30, 99_999_999),
      currency: is('gbp'),
      customer: id('cus'),
      payment_method: id('pm'),
      off_session: is('true'),
      confirm: is('true'),
      description: text(1_000),
      metadata,
    },
    ['amount', 'currency'],
  ),
  'GET /v1/payment_intents': shape<Stripe.PaymentIntentListParams>(
    {
      customer: id('cus'),
      created: shape<{ gte?: number }>({ gte: int(0) }, []),
      limit: int(1, 100),
      starting_after: id('pi'),
      expand: list(is('data.latest_charge'), 4),
    },
    [],
  ),
  'GET /v1/payment_intents/:id': shape<Stripe.PaymentIntentRetrieveParams>({ expand: list(is('payment_method', 'latest_charge'), 4) }, []),
  'GET /v1/refunds': shape<Stripe.RefundListParams>(
    { created: shape<{ gte?: number }>({ gte: int(0) }, []), limit: int(1, 100), starting_after: id('re') },
    [],
  ),
  'GET /v1/disputes': shape<Stripe.DisputeListParams>(
    { created: shape<{ gte?: number }>({ gte: int(0) }, []), limit: int(1, 100), starting_after: id('dp') },
    [],
  ),
  'POST /v1/billing_portal/sessions': shape<Stripe.BillingPortal.SessionCreateParams>({ customer: id('cus'), return_url: url }, []),
}
