import { adminAppRouter } from '#server/trpc/root.ts'

type Procedure = { readonly name: string; readonly kind: 'query' | 'mutation' }

/** All admin procedures by name. */
export const adminProcedures: readonly Procedure[] = Object.entries(adminAppRouter._def.procedures)
  .filter(([name]) => name.startsWith('admin.'))
  .map(([name, procedure]) => ({ name, kind: (procedure as unknown as { _def: { type: Procedure['kind'] } })._def.type }))
