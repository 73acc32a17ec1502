import { z } from 'zod'
import type { Plan, ScopeRule } from './access.ts'
import type { ApiFiles } from './api-file.ts'
import type { Price } from './price-kinds.ts'

/** Lowest plan for each marked field or parameter. Kept out of the schema metadata, which is published in every JSON Schema. */
const marks = z.registry<{ plan: Plan }>()

/** Marks a field or parameter that live keys below `plan` can't use. Call it last: other schema methods return a new schema without the mark. */
export function fromPlan<Field extends z.ZodType>(plan: Plan, field: Field): Field {
  marks.add(field, { plan })
  return field
}

/** Returns the lowest plan for each marked field of a row, or each marked parameter, by name. */
export function plansOfFields(row: Readonly<Record<string, z.core.$ZodType>>): ReadonlyMap<string, Plan> {
  return new Map(
    Object.entries(row).flatMap(([name, field]) => {
      const mark = marks.get(field)
      return mark === undefined ? [] : [[name, mark.plan] as const]
    }),
  )
}

/** Availability of an endpoint: `open` to live and test keys, `test-only`, or `coming-soon` (returns 404). */
export type Availability = 'open' | 'test-only' | 'coming-soon'

export type Mode = 'live' | 'test'

/** Default page size of a list, small so that the starter credits outlast a first try. */
export const defaultLimit = 10
/** Maximum page size of a list. */
export const maximumLimit = 50

/** Number of days for which lists can include withdrawn rows. */
export const withdrawnDays = 90

/** Number of past days whose snapshots and markets can be read. */
export const keptDays = 30

/** Context passed to a handler. `Market` and `Own` are the types of the data it reads. */
export type CallContext<Market, Account, Own> = {
  readonly market: Market
  readonly mode: Mode
  /** True if product rows include `providerLogoUrl`: on the Enterprise plan and for test keys. */
  readonly withLogos: boolean
  /** Absolute URL of the service, without a trailing slash. */
  readonly publicUrl: string
  readonly requestId: string
  /** Calling account and key; only endpoints with `shared: false` may read it. */
  readonly account: () => Promise<Account>
  /** Data of the calling account; only endpoints with `shared: false` may read it. */
  readonly own: () => Own
}

/** Requested page of a list. Starts after the row with the key `after`, or at the first row if `after` is null. */
export type PageRequest = { readonly limit: number; readonly after: string | null }

/**
 * `keys` contains the cursor keys of the rows, if `getKey` can't derive them from the rows. A search that ended early adds the key at which it ended.
 * `updatedUntil` is the time up to which the list has every change, as returned in `meta`.
 */
export type Page<Row> = { readonly rows: readonly Row[]; readonly more: boolean; readonly keys?: readonly string[]; readonly updatedUntil?: string | null }

/** Every method but GET is an action: it changes the caller's account, and its handler runs once the call is admitted. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type Common<Id extends string, Path extends string> = {
  id: Id
  /** Number that identifies the endpoint in the request log; never reused for another endpoint. */
  no: number
  method?: Method
  path: Path
  /** Name of the MCP tool; empty for endpoints that are not tools. */
  tool: string
  summary: string
  description?: string
  /** Completes a sentence that starts with "Use it": `to find the best rates now`. Helps tool clients choose an endpoint. */
  when?: string
  scope: ScopeRule
  price: Price
  live: Availability
  /** Lowest plan that a live key needs; undefined allows every plan. */
  plan?: Plan
  /** False for responses about the caller, which must not be shared with other callers. */
  shared?: false
  /** True if test keys read the sample market. If that market is empty, they get `sample_data_unavailable`. */
  sampled?: true
  /** Maximum time to build a response, in milliseconds. Default: 2 seconds. */
  buildTimeoutMs?: number
  /** Query of the example call, needed if example values can't be chosen for each parameter separately. */
  example?: Readonly<Record<string, string>>
}

/** Path and query parameters. Required if the path has parameters, and otherwise empty by default. */
export type InputOf<Path extends string, Input extends z.ZodRawShape> = [PathKeys<Path>] extends [never]
  ? { input?: z.ZodObject<Input> }
  : { input: z.ZodObject<Input> }

type PathKeys<Path extends string> = Path extends `${string}{${infer Key}}${infer Rest}` ? Key | PathKeys<Rest> : never
export type Declares<Path extends string> = { [Key in PathKeys<Path>]: z.ZodType }

export type ItemHandler<Input, Output, Context> = (input: Input, context: Context) => Output | Promise<Output>
export type ListHandler<Input, Row, Context> = (input: Input, page: PageRequest, context: Context) => Page<Row> | Promise<Page<Row>>

/** Endpoint with its input and output types erased. */
export type Endpoint<Context> = Omit<Common<string, `/${string}`>, 'method' | 'shared' | 'sampled'> & {
  /** Schema of the JSON body; null if the endpoint takes none. */
  readonly body: z.ZodObject | null
  /** Body of the example call. */
  readonly exampleBody: object | null
  readonly input: z.ZodObject<z.ZodRawShape>
  readonly method: Method
  readonly shared: boolean
  readonly sampled: boolean
  /**
   * `list` is paginated and accepts `limit`, `cursor` and `fields`; `whole` returns all rows at once; `file` returns all rows as a file, without an envelope;
   * `planned` has no handler yet.
   */
  readonly kind: 'item' | 'list' | 'whole' | 'file' | 'planned'
  /** Schema of `data`, or of one row if `data` is a list or the response is a file. */
  readonly output: z.ZodType
  /** Names that `fields` accepts; empty if the endpoint doesn't take `fields`. */
  readonly fields: readonly string[]
  /** Lowest plan for each field that lower plans do not get, by field name. */
  readonly fieldPlans: ReadonlyMap<string, Plan>
  /** Lowest plan for each parameter that lower plans can't use, by name. */
  readonly parameterPlans: ReadonlyMap<string, Plan>
  readonly read: (input: Record<string, unknown>, page: PageRequest, context: Context) => unknown | Promise<unknown>
  /** Returns the cursor key of a row. */
  readonly getKey: (row: unknown) => string
}

const noPlans: ReadonlyMap<string, Plan> = new Map()

/** Fills in the defaults of a declaration, whose type the callers have already checked. */
export function common(declaration: object) {
  const {
    method = 'GET',
    shared = true,
    sampled = false,
    input = z.object({}),
    ...rest
  } = declaration as Common<string, `/${string}`> & InputOf<'/', z.ZodRawShape>
  return {
    ...rest,
    method,
    shared,
    sampled,
    fieldPlans: noPlans,
    parameterPlans: plansOfFields(input.shape),
    getKey: () => '',
    input,
    body: null,
    exampleBody: null,
  }
}

/** Returns functions that declare endpoints for one context type. They type-check the handler of an endpoint against its schemas. */
export function definers<Context>() {
  return {
    /** Declares an endpoint with one object in `data`. */
    item<Id extends string, Path extends `/${string}`, Input extends z.ZodRawShape & Declares<Path>, Output>(
      d: Common<Id, Path> & InputOf<Path, Input> & { output: z.ZodType<Output>; handle: ItemHandler<z.output<z.ZodObject<Input>>, Output, Context> },
    ): Endpoint<Context> {
      const { handle, output, ...rest } = d
      return { ...common(rest), kind: 'item', output, fields: [], read: (input, _page, context) => handle(input as z.output<z.ZodObject<Input>>, context) }
    },

    /** Declares a paginated list, which adds `limit`, `cursor` and `fields` to the input. */
    list<Id extends string, Path extends `/${string}`, Input extends z.ZodRawShape & Declares<Path>, Shape extends z.ZodRawShape>(
      d: Common<Id, Path> &
        InputOf<Path, Input> & {
          row: z.ZodObject<Shape>
          getKey: (row: z.output<z.ZodObject<Shape>>) => string
          handle: ListHandler<z.output<z.ZodObject<Input>>, z.output<z.ZodObject<Shape>>, Context>
        },
    ): Endpoint<Context> {
      const { handle, row, getKey, ...rest } = d
      return {
        ...common(rest),
        kind: 'list',
        output: row,
        fields: Object.keys(row.shape),
        fieldPlans: plansOfFields(row.shape),
        read: (input, page, context) => handle(input as z.output<z.ZodObject<Input>>, page, context),
        getKey: (value) => getKey(value as z.output<z.ZodObject<Shape>>),
      }
    },

    /** Declares a short list that is returned whole, at a fixed price. */
    whole<Id extends string, Path extends `/${string}`, Input extends z.ZodRawShape & Declares<Path>, Shape extends z.ZodRawShape>(
      d: Common<Id, Path> &
        InputOf<Path, Input> & {
          row: z.ZodObject<Shape>
          /** True if the list accepts `fields`, which works as in a paginated list. */
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

    /** Declares an endpoint that returns a file of rows as NDJSON or CSV, at a fixed price. */
    file<Id extends string, Path extends `/${string}`, Input extends z.ZodRawShape & Declares<Path>>(
      d: Omit<Common<Id, Path>, 'tool'> & InputOf<Path, Input> & { row: z.ZodObject; handle: ItemHandler<z.output<z.ZodObject<Input>>, ApiFiles, Context> },
    ): Endpoint<Context> {
      const { handle, row, ...rest } = d
      const read = (input: Record<string, unknown>, _page: PageRequest, context: Context) => handle(input as z.output<z.ZodObject<Input>>, context)
      return { ...common({ ...rest, tool: '' }), kind: 'file', output: row, fields: [], read }
    },

    /** Declares an endpoint that hasn't launched: it returns 404 and is listed as coming soon. */
    planned<Id extends string, Path extends `/${string}`>(d: Common<Id, Path>): Endpoint<Context> {
      const read = () => {
        throw new Error(`${d.id} has no handler yet.`)
      }
      return { ...common(d), kind: 'planned', output: z.unknown(), fields: [], read }
    },
  }
}
