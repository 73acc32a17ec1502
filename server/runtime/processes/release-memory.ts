import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Frees memory that was only needed during start-up, so that it returns to the operating system. V8 would keep it, because an idle process never collects its
 * garbage. Blocks for about 100 ms, so call it before the process accepts requests.
 */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as NodeJS.GCFunction
  gc({ execution: 'sync', type: 'major', flavor: 'last-resort' })
}
