import { z } from 'zod'
import { wholeNumber } from '#server/api/contract/whole-number.ts'
import { type BillingSettings, isLiveKey } from './billing-deps.ts'

const loopback = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/
const secure = /^https:\/\/[^\s/]+$/

const percent = z
  .string()
  .regex(/^\d{1,2}(?:\.\d{1,2})?$/, 'must be a percentage, such as 20 or 17.5')
  .transform((text) => Math.round(Number(text) * 100))
  .refine((basisPoints) => basisPoints > 0, 'must be above 0; unset it to show no VAT')

/** Environment variables for payments and for credit adjustments by administrators. */
export const paymentVariables = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(?:sk|rk)_(?:test|live)_\S+$/, 'must begin with sk_live_ or sk_test_ (or rk_, for a restricted key)')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^\S{8,}$/, 'must be the signing secret of the webhook endpoint')
    .optional(),
  STRIPE_API_BASE: z
    .string()
    .refine((text) => secure.test(text) || loopback.test(text), 'must be a URL such as https://api.stripe.com, without a path; http only for localhost')
    .optional(),
  STRIPE_TAX_RATE: z
    .string()
    .regex(/^txr_\S+$/, 'must be the id of an inclusive tax rate at Stripe, such as txr_…')
    .optional(),
  VAT_PERCENT: percent.optional(),
  ADMIN_FOUR_EYES_CREDITS: wholeNumber(0, 999_999_999, 'must be a whole number of credits, such as 1000').default(1_000),
} as const

type PaymentValues = z.infer<z.ZodObject<typeof paymentVariables>>

/** Rejects settings that would make pages and invoices disagree about VAT. */
export function checkPayments({ STRIPE_SECRET_KEY: key, STRIPE_TAX_RATE: rate, VAT_PERCENT: vat }: PaymentValues, ctx: z.RefinementCtx): void {
  if (vat === undefined && rate !== undefined) ctx.addIssue({ code: 'custom', path: ['VAT_PERCENT'], message: 'must be set if STRIPE_TAX_RATE is' })
  if (vat !== undefined && rate === undefined && key !== undefined) {
    ctx.addIssue({ code: 'custom', path: ['STRIPE_TAX_RATE'], message: 'must be set if VAT_PERCENT and STRIPE_SECRET_KEY are' })
  }
}

/** Rejects Stripe test keys in production, where test cards would buy real credits. */
export function checkPaymentMode({ STRIPE_SECRET_KEY: key, NODE_ENV: mode }: PaymentValues & { NODE_ENV?: string | undefined }, ctx: z.RefinementCtx): void {
  if (mode !== 'production' || key === undefined || isLiveKey(key)) return
  const message = 'must begin with sk_live_ or rk_live_ in production: test payments would give credits away'
  ctx.addIssue({ code: 'custom', path: ['STRIPE_SECRET_KEY'], message })
}

export type PaymentEnv = Pick<BillingSettings, 'stripeKey' | 'webhookSecret' | 'stripeBase' | 'vat' | 'fourEyesCredits'>

export function toPaymentEnv(values: PaymentValues): PaymentEnv {
  const { VAT_PERCENT: basisPoints, STRIPE_TAX_RATE: stripeTaxRate } = values
  return {
    stripeKey: values.STRIPE_SECRET_KEY ?? null,
    webhookSecret: values.STRIPE_WEBHOOK_SECRET ?? null,
    stripeBase: values.STRIPE_API_BASE ?? null,
    vat: basisPoints === undefined ? null : { basisPoints, stripeTaxRate: stripeTaxRate ?? null },
    fourEyesCredits: values.ADMIN_FOUR_EYES_CREDITS,
  }
}
