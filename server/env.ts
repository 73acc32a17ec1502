import { z } from 'zod'
import { wholeNumber } from '#server/api/contract/whole-number.ts'
import { getConnectionEnv, listenerVariables } from '#server/api/http/listener-limits.ts'
import { parseTrustedProxies, TrustedProxies } from '#server/api/http/trusted-proxies.ts'
import { checkPaymentMode, checkPayments, paymentVariables, toPaymentEnv } from '#server/billing/payment-variables.ts'
import { checkDatabase, checkDatabaseTls, databaseVariables, getDatabaseEnv } from '#server/db/database-variables.ts'
import { readMarketSources } from '#server/market/sources/sources.ts'
import { getObservabilityEnv, observabilityVariables } from '#server/observability/observability-variables.ts'
import { checkExposure, checkProcesses, exposureVariables, getExposureEnv, processVariables, withRenamed } from '#server/runtime/runtime-variables.ts'

const flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true')
const roleNames = ['gateway', 'portal', 'worker'] as const

export type Role = (typeof roleNames)[number]

const roles = z.string().transform((text, ctx) => {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(roleNames as readonly string[]).includes(name))
  if (unknown !== undefined) ctx.addIssue({ code: 'custom', message: `contains the unknown role "${unknown}"; valid roles: ${roleNames.join(', ')}` })
  return new Set(names as Role[])
})

const trustedProxies = z.string().transform((text, ctx) => {
  const parsed = parseTrustedProxies(text)
  if (parsed instanceof TrustedProxies) return parsed
  ctx.addIssue({ code: 'custom', message: parsed.fault })
  return z.NEVER
})

const httpDate = (ms: number): string => new Date(ms).toUTCString()

const marketSources = z.string().transform((text, ctx) => {
  try {
    return readMarketSources(text)
  } catch (fault) {
    ctx.addIssue({ code: 'custom', message: fault instanceof Error ? fault.message : String(fault) })
    return z.NEVER
  }
})

/** Deprecation header value (RFC 9745): a structured date. At most eleven digits, so that a time in milliseconds is rejected. */
const deprecation = z.string().regex(/^@\d{1,11}$/, 'must be a time in seconds since 1970, such as @1798761600 for 1 January 2027')

/** Sunset header value (RFC 8594): an HTTP date in IMF-fixdate format. */
const sunset = z
  .string()
  .refine((text) => text.endsWith(' GMT') && httpDate(Date.parse(text)) === text, 'must be an HTTP date, such as Fri, 01 Jan 2027 00:00:00 GMT')

const VariablesAlone = z.object({
  PORT: wholeNumber(0, 65_535, 'must be a port number').default(3000),
  DATA_DIR: z.string().default('.data'),
  ROLES: roles.default(new Set(roleNames)),
  NEXTAUTH_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
  TRUST_PROXY: trustedProxies.default(() => new TrustedProxies()),
  MARKET_SOURCES: marketSources.default([]),
  REQUEST_LOG_DAYS: wholeNumber(62, 99_999, 'must be a number of days, 62 or more: the portal and statements read the last two months').optional(),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/, 'must be a URL such as mailto:security@example.com or https://example.com/security')
    .optional(),
  SUPPORT_EMAIL: z
    .string()
    .regex(/^[^\s@<>:]+@[^\s@<>]+$/, 'must be an email address such as support@example.com')
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  API_V1_DEPRECATION: deprecation.optional(),
  API_V1_SUNSET: sunset.optional(),
  WEBHOOKS_ALLOW_PRIVATE: flag.default(false),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  OIDC_ISSUER: z
    .string()
    .regex(/^https?:\/\/\S+$/, 'must be the URL of the identity provider')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(40, 'must be 40 characters or fewer').default('single sign-on'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'must begin with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().optional(),
  ...exposureVariables,
  ...databaseVariables,
  ...paymentVariables,
  ...observabilityVariables,
  ...processVariables,
  ...listenerVariables,
})

type Values = z.infer<typeof VariablesAlone>

/** Groups of variables that must be set together or not at all. */
const together = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['SMTP_URL', 'MAIL_FROM'],
] as const satisfies readonly (readonly (keyof Values)[])[]

function checkTogether(given: Values, ctx: z.RefinementCtx): void {
  for (const names of together) {
    const missing = names.filter((name) => given[name] === undefined)
    if (missing.length === 0 || missing.length === names.length) continue
    for (const name of missing)
      ctx.addIssue({ code: 'custom', path: [name], message: `must be set as well, since ${names.find((other) => given[other] !== undefined)} is` })
  }
}

/** Rejects WEBHOOKS_ALLOW_PRIVATE in production: only tests may send webhooks into the service's own network. */
function checkReach({ NODE_ENV: mode, WEBHOOKS_ALLOW_PRIVATE: allows }: Values, ctx: z.RefinementCtx): void {
  if (mode !== 'production' || !allows) return
  const message = 'must not be set while NODE_ENV is production: webhooks could be sent to addresses in your own network'
  ctx.addIssue({ code: 'custom', path: ['WEBHOOKS_ALLOW_PRIVATE'], message })
}

/** OpenID Connect provider. `label` is the text of its button. */
export type OpenIdSettings = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string; readonly label: string }

const googleIssuer = 'https://accounts.google.com'

/** Returns the identity providers offered at sign-in. */
function getProviders(v: Values): Readonly<Record<'google' | 'oidc', OpenIdSettings | null>> {
  const { GOOGLE_CLIENT_ID: googleId, GOOGLE_CLIENT_SECRET: googleSecret, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = v
  return {
    google: googleId && googleSecret ? { issuer: googleIssuer, clientId: googleId, clientSecret: googleSecret, label: 'Google' } : null,
    oidc: issuer && clientId && clientSecret ? { issuer, clientId, clientSecret, label: v.OIDC_NAME } : null,
  }
}

/** Schema of all variables, with checks across variables. Converts them to settings. The sunset must not precede the deprecation (RFC 9745). */
const Variables = VariablesAlone.superRefine(checkExposure)
  .superRefine(checkTogether)
  .superRefine(checkDatabase)
  .superRefine(checkDatabaseTls)
  .superRefine(checkPayments)
  .superRefine(checkPaymentMode)
  .superRefine(checkReach)
  .superRefine(checkProcesses)
  .superRefine(({ API_V1_DEPRECATION: deprecated, API_V1_SUNSET: ends }, ctx) => {
    const from = Number(deprecated?.slice(1)) * 1_000
    if (ends === undefined || !(Date.parse(ends) < from)) return
    ctx.addIssue({ code: 'custom', path: ['API_V1_SUNSET'], message: `must not be earlier than API_V1_DEPRECATION, which is ${httpDate(from)}` })
  })
  .transform((v) => ({
    port: v.PORT,
    ...getExposureEnv(v, v.PORT),
    ...getDatabaseEnv(v),
    dataDir: v.DATA_DIR,
    roles: v.ROLES,
    /** Number of gateway processes. If there is more than one, a separate process takes the remaining roles. */
    gatewayProcesses: v.GATEWAY_PROCESSES,
    /** Seconds during shutdown in which the service reports that it is not ready but still accepts calls. */
    drainSeconds: v.DRAIN_SECONDS,
    /** Niceness of the process that renders pages; a higher value lowers its priority, so that API calls come first. */
    portalNiceness: v.PORTAL_NICENESS,
    /** Secret that signs cursors and sessions. Null: generated once and stored in `dataDir`. */
    secret: v.NEXTAUTH_SECRET ?? null,
    /** Proxies whose X-Forwarded-* headers are trusted. */
    trustProxy: v.TRUST_PROXY,
    /** Public sources of the daily refresh; empty unless configured. */
    marketSources: v.MARKET_SOURCES,
    /** Retention of the request log in days; null: unlimited. */
    requestLogDays: v.REQUEST_LOG_DAYS ?? null,
    /** Contact for reporting vulnerabilities, published in security.txt; null: none. */
    securityContact: v.SECURITY_CONTACT ?? null,
    /** Support address shown to customers; null: none, which only development allows. */
    supportEmail: v.SUPPORT_EMAIL ?? null,
    logLevel: v.LOG_LEVEL,
    deprecation: v.API_V1_DEPRECATION ?? null,
    sunset: v.API_V1_SUNSET ?? null,
    providers: getProviders(v),
    /** SMTP server and sender of emails; null: emails stay in the database. */
    smtp: v.SMTP_URL && v.MAIL_FROM ? { url: v.SMTP_URL, from: v.MAIL_FROM } : null,
    /** Payments: Stripe, its secrets, and the VAT included in prices. */
    payment: toPaymentEnv(v),
    /** Access to metrics, and the destination of traces. */
    watch: getObservabilityEnv(v),
    /** Connection limits. */
    listener: getConnectionEnv(v),
    /** Allows webhooks to be sent to private addresses over plain HTTP. For tests. */
    webhooksAllowPrivate: v.WEBHOOKS_ALLOW_PRIVATE,
  }))

/** Validated settings of a process. */
export type Env = Readonly<z.output<typeof Variables>>

/** Thrown if the environment is invalid. The message has a line for each problem. */
export class EnvError extends Error {
  override name = 'EnvError'
}

const noSupport = 'SUPPORT_EMAIL must be set in production: it is the address that customers write to for help.'

function parseEnv(variables: NodeJS.ProcessEnv, isStart: boolean): Env {
  const given = withRenamed(Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== '')))
  const parsed = Variables.safeParse(given)
  const faults = parsed.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`) ?? []
  if (isStart && given['NODE_ENV'] === 'production' && given['SUPPORT_EMAIL'] === undefined) faults.push(noSupport)
  if (!parsed.success || faults.length > 0) throw new EnvError(faults.join('\n'))
  return parsed.data
}

/** Reads and validates the environment. @throws EnvError with a line for each invalid variable. */
export const readEnv = (variables: NodeJS.ProcessEnv = process.env): Env => parseEnv(variables, false)

/** Reads the environment of a process that serves customers. Unlike a command, it needs a support address in production. @throws EnvError */
export const readServiceEnv = (variables: NodeJS.ProcessEnv = process.env): Env => parseEnv(variables, true)

/** Sets the public URL for next-auth, which reads it only from the environment. */
export function configureNextAuth({ publicUrl }: Pick<Env, 'publicUrl'>): void {
  process.env['NEXTAUTH_URL'] = publicUrl
}

/**
 * Sets the URL of this process, from which Next fetches the target page when a form redirects. By default, Next takes the scheme from the request; behind a TLS
 * proxy, it would then use TLS on a port that does not support it.
 */
export function configureNextOrigin(origin: string): void {
  process.env['__NEXT_PRIVATE_ORIGIN'] = origin
}
