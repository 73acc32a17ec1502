import { readFileSync } from 'node:fs'

/** Returns the addresses that have a listener on this port, in the notation of /proc/net/tcp. */
export function listening(port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n'))
  const locals = rows.map((row) => row.trim().split(/\s+/)).filter(([, local = '', , state]) => local.endsWith(`:${hex}`) && state === '0A')
  return locals.map(([, local = '']) => local.slice(0, -5)).sort()
}

/** 127.0.0.1 and ::1 in the notation of /proc/net/tcp. */
export const loopbackOnly = ['00000000000000000000000001000000', '0100007F']
