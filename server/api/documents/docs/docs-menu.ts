import { guides, quickStart } from './docs-pages.ts'

type MenuLink = { readonly href: string; readonly name: string }

const link = ({ path, title }: { path: string; title: string }): MenuLink => ({ href: path, name: title })

/** The menu beside the guides. */
export const docsMenu: readonly { readonly name: string; readonly links: readonly MenuLink[] }[] = [
  { name: 'Start', links: [link(quickStart), { href: '/console', name: 'Try it' }] },
  { name: 'Guides', links: guides.map(link) },
  {
    name: 'Look up',
    links: [
      { href: '/docs/prices', name: 'Prices' },
      { href: '/reference', name: 'API reference' },
      { href: '/changelog', name: 'Changelog' },
      { href: '/status', name: 'Status' },
    ],
  },
]

const inOrder = [quickStart, ...guides]

/** The pages before and behind a page of the guides. */
export function neighboursOf(path: string): { previous?: { href: string; title: string }; next?: { href: string; title: string } } {
  const at = inOrder.findIndex((page) => page.path === path)
  const [before, behind] = at < 0 ? [] : [inOrder[at - 1], inOrder[at + 1]]
  return { ...(before && { previous: { href: before.path, title: before.title } }), ...(behind && { next: { href: behind.path, title: behind.title } }) }
}

/** The second-level headings of a text. */
export function partsOf(markdown: string): string[] {
  const outside = markdown.replace(/^```[\s\S]*?^```$/gm, '')
  return [...outside.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading)
}
