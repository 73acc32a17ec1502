import { globSync } from 'node:fs'
import { join } from 'node:path'

/** What is shown where there is no page to show, and the heading that it has: one for the site, one for the portal. */
const standIns: Readonly<Record<string, string>> = {
  'not-found': 'Page not found',
  error: 'There is a problem with the service',
  'global-error': 'There is a problem with the service',
}

/** A file under app/ as an address: folders in brackets are no part of it, and a page is its folder. */
function routeOf(file: string): string {
  const parts = file
    .replace(/\[\.{3}absent\]\/page\.tsx$/, 'not-found')
    .replace(/\.tsx$/, '')
    .split('/')
  return `/${parts.filter((part) => part !== 'page' && !part.startsWith('(')).join('/')}`
}

/** Every page of the site as its folders spell it, such as `/portal/keys/[id]`, and what stands in for one, such as `/portal/not-found`. */
export const appRoutes: readonly string[] = globSync('**/{page,not-found,error,global-error}.tsx', { cwd: join(import.meta.dirname, '../../app') })
  .map(routeOf)
  .sort()

const standInHeading = (route: string): string | undefined => standIns[route.split('/').at(-1) ?? '']

const patternOf = (route: string): RegExp =>
  new RegExp(
    `^${route
      .replace(/\/\[\[\.{3}\w+\]\]/g, '(?:/.+)?')
      .replace(/\[\.{3}\w+\]/g, '.+')
      .replace(/\[\w+\]/g, '[^/]+')}$`,
  )

/** Characters that a route spells out: of two that fit an address, the one with more of them is meant. */
const spelledOut = (route: string): number => route.replace(/\[[^/]*\]/g, '').length

/** Whether a page that is at `path` under a main heading is the one of `route`. */
export function isPageOf(route: string, path: string, heading: string): boolean {
  const wanted = standInHeading(route)
  if (wanted !== undefined) return heading === wanted && path.startsWith(route.slice(0, route.lastIndexOf('/')))
  if (Object.values(standIns).includes(heading)) return false
  const fitting = appRoutes.filter((one) => standInHeading(one) === undefined && patternOf(one).test(path))
  return fitting.sort((a, b) => spelledOut(b) - spelledOut(a))[0] === route
}
