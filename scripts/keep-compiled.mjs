// Loaded before the service (`node --import`): enables Node's compile cache, which also caches type-stripped sources. This halves the startup work: cached code
// isn't compiled again, and the type stripper isn't loaded.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
