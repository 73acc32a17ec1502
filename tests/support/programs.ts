import { fileURLToPath } from 'node:url'

/** What operators start: the service and its command line, as scripts/bundle-server.mjs puts them together. */
export const serviceProgram = fileURLToPath(new URL('../../built/main.js', import.meta.url))
export const svcProgram = fileURLToPath(new URL('../../built/svc.js', import.meta.url))
