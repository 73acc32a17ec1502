import { deskRouter } from '#server/trpc/desk.ts'

type Procedure = { readonly name: string; readonly kind: 'query' | 'mutation' }

/** Every procedure of the desk, by its name. */
export const deskProcedures: readonly Procedure[] = Object.entries(deskRouter._def.procedures)
  .filter(([name]) => name.startsWith('admin.'))
  .map(([name, procedure]) => ({ name, kind: (procedure as unknown as { _def: { type: Procedure['kind'] } })._def.type }))
