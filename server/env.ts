import { z } from 'zod'
import { type ConfiguredSource, readMarketSources } from './market/sources/configured.ts'

const flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true')
const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port number')
  .transform(Number)
const roleNames = ['gateway', 'portal', 'worker'] as const

export type Role = (typeof roleNames)[number]

const roles = z.string().transform((text, ctx) => {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(roleNames as readonly string[]).includes(name))
  if (unknown !== undefined) ctx.addIssue({ code: 'custom', message: `has the unknown role "${unknown}"; known: ${roleNames.join(', ')}` })
  return new Set(names as Role[])
})

const marketSources = z.string().transform((text, ctx) => {
  try {
    return readMarketSources(text)
  } catch (fault) {
    ctx.addIssue({ code: 'custom', message: fault instanceof Error ? fault.message : String(fault) })
    return z.NEVER
  }
})

const webUrl = z.string().regex(/^https?:\/\/[^\s/]+$/, 'must be an absolute address such as https://api.example.com, without a path or slash at the end')

const Variables = z.object({
  NODE_ENV: z.string().optional(),
  PORT: port.default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: webUrl.optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgresql://')
    .optional(),
  DATA_DIR: z.string().default('.data'),
  ROLES: roles.default(new Set(roleNames)),
  NEXTAUTH_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
  TRUST_PROXY: z
    .string()
    .regex(/^\d{1,2}$/, 'must be the number of proxies in front, such as 1')
    .transform(Number)
    .default(0),
  MARKET_SOURCES: marketSources.default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  API_V1_DEPRECATION: z
    .string()
    .regex(/^@\d+$/, 'must be a time such as @1798761600')
    .optional(),
  API_V1_SUNSET: z.string().optional(),
  WEBHOOKS_ALLOW_PRIVATE: flag.default(false),
})

/** The settings of a process, checked. */
export type Env = {
  readonly port: number
  /** Null: all interfaces, IPv4 and IPv6. */
  readonly host: string | null
  readonly publicUrl: string
  /** Null: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  readonly roles: ReadonlySet<Role>
  /** Null: made once and kept in `dataDir`. */
  readonly secret: string | null
  readonly trustProxy: number
  /** Public sources that the daily refresh reads; none unless configured. */
  readonly marketSources: readonly ConfiguredSource[]
  readonly logLevel: string
  readonly deprecation: string | null
  readonly sunset: string | null
  readonly isDevelopment: boolean
  /** Whether NODE_ENV says so; `npm start` on a laptop says nothing. */
  readonly isProduction: boolean
}

/** The environment cannot be used; one line for each fault. */
export class EnvError extends Error {
  override name = 'EnvError'
}

/** Reads and checks the environment. @throws EnvError with a line for each variable that cannot be used. */
export function readEnv(variables: NodeJS.ProcessEnv = process.env): Env {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const parsed = Variables.safeParse(given)
  if (!parsed.success) throw new EnvError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`).join('\n'))
  const v = parsed.data
  return {
    port: v.PORT,
    host: v.HOST ?? null,
    publicUrl: v.PUBLIC_URL ?? `http://localhost:${v.PORT}`,
    databaseUrl: v.DATABASE_URL ?? null,
    dataDir: v.DATA_DIR,
    roles: v.ROLES,
    secret: v.NEXTAUTH_SECRET ?? null,
    trustProxy: v.TRUST_PROXY,
    marketSources: v.MARKET_SOURCES,
    logLevel: v.LOG_LEVEL,
    deprecation: v.API_V1_DEPRECATION ?? null,
    sunset: v.API_V1_SUNSET ?? null,
    isDevelopment: v.NODE_ENV === 'development',
    isProduction: v.NODE_ENV === 'production',
  }
}
