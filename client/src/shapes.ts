import type { components, operations } from './generated/schema.ts'
import type { table } from './generated/table.ts'

export type OperationId = keyof typeof table

/** Operations that answer in pages. */
export type PagedId = { [Id in OperationId]: (typeof table)[Id]['isPaged'] extends true ? Id : never }[OperationId]

type Given<Part> = [NonNullable<Part>] extends [never] ? unknown : NonNullable<Part>
type Flat<Shape> = { [Name in keyof Shape]: Shape[Name] }
type Closed<Shape> = keyof Shape extends never ? Record<string, never> : Shape

/** The parameters of an operation, those of its path and of its query in one object. */
export type Input<Id extends OperationId> = Closed<Flat<Given<operations[Id]['parameters']['query']> & Given<operations[Id]['parameters']['path']>>>

/** What an operation answers. */
export type Body<Id extends OperationId> = operations[Id]['responses'][200]['content']['application/json']

export type FullRow<Id extends PagedId> = Body<Id>['data'][number]

/** Names that `fields` takes. */
export type FieldOf<Id extends PagedId> = keyof FullRow<Id> & string

/** One row of a list; only what was asked for, where `fields` asks. */
export type Row<Id extends PagedId, F extends FieldOf<Id> = FieldOf<Id>> = FieldOf<Id> extends F ? FullRow<Id> : Pick<FullRow<Id>, F>

/** The parameters of a list. `fields` is a list of names. */
export type PageInput<Id extends PagedId, F extends FieldOf<Id>> = Flat<Omit<Input<Id>, 'fields'> & { readonly fields?: readonly F[] }>

export type PageBody<Id extends PagedId, F extends FieldOf<Id>> = { readonly data: Row<Id, F>[]; readonly meta: components['schemas']['ListMeta'] }
