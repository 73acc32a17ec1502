import { globSync } from 'node:fs'
import { join } from 'node:path'

/** Headings of special pages. The site and the portal have separate versions of these pages. */
const specialPages: Readonly<Record<string, string>> = {
  'not-found': 'Page not found',
  error: 'There is a problem with the service',
  'global-error': 'There is a problem with the service',
}

/** Converts the path of a file under app/ to its route, without route groups. */
function toRoute(file: string): string {
  const parts = file
    .replace(/\[\.{3}absent\]\/page\.tsx$/, 'not-found')
    .replace(/\.tsx$/, '')
    .split('/')
  return `/${parts.filter((part) => part !== 'page' && !part.startsWith('(')).join('/')}`
}

/** All routes of the site, written like the folders under app/, such as `/portal/keys/[id]`, and special pages such as `/portal/not-found`. */
export const appRoutes: readonly string[] = globSync('**/{page,not-found,error,global-error}.tsx', { cwd: join(import.meta.dirname, '../../app') })
  .map(toRoute)
  .sort()

const specialHeading = (route: string): string | undefined => specialPages[route.split('/').at(-1) ?? '']

const toPattern = (route: string): RegExp =>
  new RegExp(
    `^${route
      .replace(/\/\[\[\.{3}\w+\]\]/g, '(?:/.+)?')
      .replace(/\[\.{3}\w+\]/g, '.+')
      .replace(/\[\w+\]/g, '[^/]+')}$`,
  )

/** Returns the number of literal characters in a route. If two routes match a path, the one with more literal characters wins. */
const literalLength = (route: string): number => route.replace(/\[[^/]*\]/g, '').length

/** Returns true if the page at `path` with this heading belongs to `route`. */
export function isPageOf(route: string, path: string, heading: string): boolean {
  const wanted = specialHeading(route)
  if (wanted !== undefined) return heading === wanted && path.startsWith(route.slice(0, route.lastIndexOf('/')))
  if (Object.values(specialPages).includes(heading)) return false
  const fitting = appRoutes.filter((one) => specialHeading(one) === undefined && toPattern(one).test(path))
  return fitting.sort((a, b) => literalLength(b) - literalLength(a))[0] === route
}
