import type { z } from 'zod'
import { type Common, common, type Declares, type Endpoint, type InputOf, type ItemHandler, type Method } from './endpoint.ts'

/**
 * Returns the function that declares an action: an endpoint with a method other than GET, which changes the caller's account and returns one object. The
 * handler gets the parsed body as `body`. Actions are free. Their responses are specific to the caller, so they are never shared.
 */
export function actionDefiner<Context>() {
  return <
    Id extends string,
    Path extends `/${string}`,
    Input extends z.ZodRawShape & Declares<Path>,
    Output,
    Body extends z.ZodRawShape = Record<never, never>,
  >(
    d: Omit<Common<Id, Path>, 'method' | 'price' | 'live' | 'shared'> & { method: Exclude<Method, 'GET'> } & InputOf<Path, Input> & {
        body?: z.ZodObject<Body>
        exampleBody?: NoInfer<z.input<z.ZodObject<Body>>>
        output: z.ZodType<Output>
        handle: ItemHandler<ActionInput<Input, Body>, Output, Context>
      },
  ): Endpoint<Context> => {
    const { handle, output, body = null, exampleBody = null, ...rest } = d
    const free = { price: { credits: 0, per: 'request' }, live: 'open', shared: false } as const
    const read: Endpoint<Context>['read'] = (input, _page, context) => handle(input as ActionInput<Input, Body>, context)
    return { ...common({ ...rest, ...free }), kind: 'item', output, fields: [], body, exampleBody, read }
  }
}

type ActionInput<Input extends z.ZodRawShape, Body extends z.ZodRawShape> = z.output<z.ZodObject<Input>> & { readonly body: z.output<z.ZodObject<Body>> }
