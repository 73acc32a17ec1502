import { fileURLToPath } from 'node:url'

/** Paths of the bundled service and its command line, as built by scripts/bundle-server.mjs. */
export const serviceProgram = fileURLToPath(new URL('../../built/main.js', import.meta.url))
export const svcProgram = fileURLToPath(new URL('../../built/svc.js', import.meta.url))
