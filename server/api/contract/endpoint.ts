import { z } from 'zod'
import { plansOfFields } from './field-plans.ts'
import type { Plan } from './plans.ts'
import type { Price } from './prices.ts'
import type { ScopeRule } from './scopes.ts'

/** Who may call an endpoint: `open` to live and test keys, `test-only`, or `coming-soon` (answers 404). */
export type Availability = 'open' | 'test-only' | 'coming-soon'

export type Mode = 'live' | 'test'

/** Default and largest page of a list. The default is small, because the starter credits should outlast a first look. */
export const defaultLimit = 10
export const maximumLimit = 50

/** What a call is asked for, as far as a handler may know it. `Market` is the room that the data come from. */
export type CallContext<Market, Account> = {
  readonly market: Market
  readonly mode: Mode
  /** Whether product rows carry `providerLogoUrl`: Enterprise plan, and test keys. */
  readonly withLogos: boolean
  /** Absolute address of the service, without a slash at the end. */
  readonly publicUrl: string
  readonly requestId: string
  /** Facts about the calling account and key; only endpoints with `shared: false` may read it. */
  readonly account: () => Promise<Account>
}

/** Where a page of a list begins: after the row with this key, or at the first row. */
export type PageRequest = { readonly limit: number; readonly after: string | null }

/** `keys` are those of the rows for a cursor, where it takes more than the row to tell; else `keyOf` makes them. */
export type Page<Row> = { readonly rows: readonly Row[]; readonly more: boolean; readonly keys?: readonly string[] }

type Common<Id extends string, Path extends string, Input extends z.ZodRawShape> = {
  id: Id
  /** Number in the request log; never used again for another endpoint. */
  no: number
  method?: 'GET' | 'POST'
  path: Path
  /** Name of the tool on the tool server. */
  tool: string
  summary: string
  description?: string
  /** For whom or what one calls it, as half a sentence behind "Use it": `to find the best rates now`. Tool clients choose by it. */
  when?: string
  scope: ScopeRule
  price: Price
  live: Availability
  /** The least plan that a live key needs; none means every plan. */
  plan?: Plan
  /** False for answers about the caller, which no one else may be handed. */
  shared?: false
  /** Test keys are answered from the sample market; without sample data they get `sample_data_unavailable`. */
  sampled?: true
  /** The query of a call that works, where that cannot be told from the parameters one by one. */
  example?: Readonly<Record<string, string>>
  input: z.ZodObject<Input>
}

type PathKeys<Path extends string> = Path extends `${string}{${infer Key}}${infer Rest}` ? Key | PathKeys<Rest> : never
type Declares<Path extends string> = { [Key in PathKeys<Path>]: z.ZodType }

export type ItemHandler<Input, Output, Context> = (input: Input, context: Context) => Output | Promise<Output>
export type ListHandler<Input, Row, Context> = (input: Input, page: PageRequest, context: Context) => Page<Row> | Promise<Page<Row>>

/** An endpoint as the rest of the service sees it, whatever its shapes. */
export type Endpoint<Context> = Omit<Common<string, `/${string}`, z.ZodRawShape>, 'method' | 'shared' | 'sampled'> & {
  readonly method: 'GET' | 'POST'
  readonly shared: boolean
  readonly sampled: boolean
  /** `list` pages and knows `limit`, `cursor` and `fields`; `whole` is a list answered at once; `planned` has no handler yet. */
  readonly kind: 'item' | 'list' | 'whole' | 'planned'
  /** Shape of `data`, or of one row of it. */
  readonly output: z.ZodType
  /** Names that `fields` accepts: those of a row of a list in pages, or of a whole one that takes it, else none. */
  readonly fields: readonly string[]
  /** The least plan for those of them that not every live key is given. */
  readonly fieldPlans: ReadonlyMap<string, Plan>
  readonly read: (input: Record<string, unknown>, page: PageRequest, context: Context) => unknown | Promise<unknown>
  /** The key of a row, which a cursor continues after. */
  readonly keyOf: (row: unknown) => string
}

const noPlans: ReadonlyMap<string, Plan> = new Map()

function common<Id extends string, Path extends `/${string}`, Input extends z.ZodRawShape>(d: Common<Id, Path, Input>) {
  const { method = 'GET', shared = true, sampled = false, ...rest } = d
  return { ...rest, method, shared, sampled, fieldPlans: noPlans, keyOf: () => '', input: d.input as z.ZodObject<z.ZodRawShape> }
}

/** The three ways to declare an endpoint, for one kind of context. Shapes and handler are checked against each other here and nowhere else. */
export function definers<Context>() {
  return {
    /** One object in `data`. */
    item<Id extends string, Path extends `/${string}`, Input extends z.ZodRawShape & Declares<Path>, Output>(
      d: Common<Id, Path, Input> & { output: z.ZodType<Output>; handle: ItemHandler<z.output<z.ZodObject<Input>>, Output, Context> },
    ): Endpoint<Context> {
      const { handle, output, ...rest } = d
      return { ...common(rest), kind: 'item', output, fields: [], read: (input, _page, context) => handle(input as z.output<z.ZodObject<Input>>, context) }
    },

    /** A list in pages, which adds `limit`, `cursor` and `fields` to the input. */
    list<Id extends string, Path extends `/${string}`, Input extends z.ZodRawShape & Declares<Path>, Shape extends z.ZodRawShape>(
      d: Common<Id, Path, Input> & {
        row: z.ZodObject<Shape>
        keyOf: (row: z.output<z.ZodObject<Shape>>) => string
        handle: ListHandler<z.output<z.ZodObject<Input>>, z.output<z.ZodObject<Shape>>, Context>
      },
    ): Endpoint<Context> {
      const { handle, row, keyOf, ...rest } = d
      return {
        ...common(rest),
        kind: 'list',
        output: row,
        fields: Object.keys(row.shape),
        fieldPlans: plansOfFields(row.shape),
        read: (input, page, context) => handle(input as z.output<z.ZodObject<Input>>, page, context),
        keyOf: (value) => keyOf(value as z.output<z.ZodObject<Shape>>),
      }
    },

    /** A list that is short enough to be answered at once, for one price. */
    whole<Id extends string, Path extends `/${string}`, Input extends z.ZodRawShape & Declares<Path>, Shape extends z.ZodRawShape>(
      d: Common<Id, Path, Input> & {
        row: z.ZodObject<Shape>
        /** Whether it takes `fields`, which trims rows as in a list in pages. */
        takesFields?: true
        handle: ItemHandler<z.output<z.ZodObject<Input>>, readonly z.output<z.ZodObject<Shape>>[], Context>
      },
    ): Endpoint<Context> {
      const { handle, row, takesFields = false, ...rest } = d
      return {
        ...common(rest),
        kind: 'whole',
        output: row,
        fields: takesFields ? Object.keys(row.shape) : [],
        fieldPlans: takesFields ? plansOfFields(row.shape) : noPlans,
        read: async (input, _page, context) => ({ rows: await handle(input as z.output<z.ZodObject<Input>>, context), more: false }),
      }
    },

    /** An endpoint of the catalogue that is not launched yet: it answers 404 and is listed as coming soon. */
    planned<Id extends string, Path extends `/${string}`>(d: Omit<Common<Id, Path, z.ZodRawShape>, 'input'>): Endpoint<Context> {
      const read = () => {
        throw new Error(`${d.id} has no handler yet.`)
      }
      return { ...common({ ...d, input: z.object({}) }), kind: 'planned', output: z.unknown(), fields: [], read }
    },
  }
}
