import type { components, operations } from './generated/schema.ts'
import type { table } from './generated/table.ts'

export type OperationId = keyof typeof table

/** Operations with paged responses. */
export type PagedId = { [Id in OperationId]: (typeof table)[Id]['isPaged'] extends true ? Id : never }[OperationId]

/** Lists that support `fields`: paged ones and some short ones. */
export type TrimmedId = { [Id in OperationId]: 'fields' extends keyof Given<operations[Id]['parameters']['query']> ? Id : never }[OperationId]

type Given<Part> = [NonNullable<Part>] extends [never] ? unknown : NonNullable<Part>
type Flat<Shape> = { [Name in keyof Shape]: Shape[Name] }
type Closed<Shape> = keyof Shape extends never ? Record<string, never> : Shape

/** Fields of the request body of an operation. */
type BodyFields<Id extends OperationId> = operations[Id] extends { readonly requestBody: { readonly content: { readonly 'application/json': infer Fields } } }
  ? Fields
  : unknown

/** Path and query parameters and body fields of an operation in one object. */
export type Input<Id extends OperationId> = Closed<
  Flat<Given<operations[Id]['parameters']['query']> & Given<operations[Id]['parameters']['path']> & BodyFields<Id>>
>

/** Response body of an operation. */
export type Body<Id extends OperationId> = operations[Id]['responses'][200]['content']['application/json']

export type FullRow<Id extends TrimmedId> = Body<Id>['data'][number]

/** Names accepted by `fields`. */
export type FieldOf<Id extends TrimmedId> = keyof FullRow<Id> & string

/** Row of a list, reduced to the requested `fields`. */
export type Row<Id extends TrimmedId, F extends FieldOf<Id> = FieldOf<Id>> = FieldOf<Id> extends F ? FullRow<Id> : Pick<FullRow<Id>, F>

/** Parameters of a list. `fields` is an array of names. */
export type PageInput<Id extends TrimmedId, F extends FieldOf<Id>> = Flat<Omit<Input<Id>, 'fields'> & { readonly fields?: readonly F[] }>

export type PageBody<Id extends TrimmedId, F extends FieldOf<Id>> = { readonly data: Row<Id, F>[]; readonly meta: components['schemas']['ListMeta'] }
