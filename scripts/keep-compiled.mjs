// Loaded before the service (`node --import`): enables Node's compile cache, which also has type-stripped sources. It saves half of the startup work, and the
// type stripper is not loaded at all.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
