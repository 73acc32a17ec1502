import superjson from 'superjson'

const same = (value: unknown) => value

/**
 * Transformer of the portal's procedures. Results can contain dates. Inputs are plain JSON, because superjson's references and sets let a small body describe
 * a value that takes long to rebuild.
 */
export const transformer = { input: { serialize: same, deserialize: same }, output: superjson }
