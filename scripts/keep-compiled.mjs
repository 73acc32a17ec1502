// Loaded before the service (`node --import`): Node keeps what it has compiled, types stripped, and the next start takes it from there. That is half of
// the work of a start, and the compiler of types is not loaded at all.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
