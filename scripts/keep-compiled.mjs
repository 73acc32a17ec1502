// Loaded before the service (`node --import`): enables Node's compile cache, which also caches type-stripped sources. This halves the startup work, and the
// type stripper is never loaded.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
