import { guides, quickStart } from './docs-pages.ts'

type MenuLink = { readonly href: string; readonly name: string }

const link = ({ path, title }: { path: string; title: string }): MenuLink => ({ href: path, name: title })

/** Menu of the documentation. */
export const docsMenu: readonly { readonly name: string; readonly links: readonly MenuLink[] }[] = [
  { name: 'Start', links: [link(quickStart), { href: '/console', name: 'Try it' }] },
  { name: 'Guides', links: guides.map(link) },
  {
    name: 'Reference',
    links: [
      { href: '/docs/prices', name: 'Prices' },
      { href: '/reference', name: 'API reference' },
      { href: '/changelog', name: 'Changelog' },
      { href: '/status', name: 'Status' },
    ],
  },
]

const inOrder = [quickStart, ...guides]

/** Returns the previous and the next guide. */
export function getNeighbours(path: string): { previous?: { href: string; title: string }; next?: { href: string; title: string } } {
  const at = inOrder.findIndex((page) => page.path === path)
  const [before, after] = at < 0 ? [] : [inOrder[at - 1], inOrder[at + 1]]
  return { ...(before && { previous: { href: before.path, title: before.title } }), ...(after && { next: { href: after.path, title: after.title } }) }
}

/** Returns the second-level headings of a Markdown text. */
export function getParts(markdown: string): string[] {
  const outside = markdown.replace(/^```[\s\S]*?^```$/gm, '')
  return [...outside.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading)
}
