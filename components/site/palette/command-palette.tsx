'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { BookOpen, Braces, CircleAlert, FileText, KeyRound, type LucideIcon, Rows3, Search, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { headingId } from '#components/docs/headings.ts'
import { Command, type CommandEntry, type CommandSection } from '#components/ui/command.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { toast } from '#components/ui/toast.tsx'
import { getActions, getPages, isMatch, type PageEntry, type PaletteScope } from './page-entries.tsx'
import { findForAdmin, paletteQueries, useAccounts, useDocsSearch, useOwn } from './palette-data.ts'

const icon = (Icon: LucideIcon) => <Icon aria-hidden="true" className="size-4.5 shrink-0" />

const docsSections = [
  { section: 'Guides', name: 'Guides', icon: BookOpen },
  { section: 'Reference', name: 'Endpoints', icon: Braces },
  { section: 'Errors', name: 'Errors', icon: CircleAlert },
  { section: 'Terms', name: 'Terms', icon: FileText },
] as const

const maxPerSection = 5
const requestId = /req_[0-9a-f]{32}/
const adminId = /\b(?:req_[0-9a-f]{32}|(?:acc|key)_[0-9A-Za-z]{16,60})\b/

type Hits = ReturnType<typeof useDocsSearch>['hits']
type Own = ReturnType<typeof useOwn>

const open = (path: string) => () => location.assign(path)

function toEntry({ name, note, icon: Icon, target }: PageEntry): CommandEntry {
  return {
    value: `${name} ${typeof target === 'string' ? target : ''}`,
    icon: icon(Icon),
    name,
    note,
    select: typeof target === 'string' ? open(target) : target,
  }
}

const toDocsEntry =
  (Icon: LucideIcon) =>
  ({ path, title, heading }: Hits[number]): CommandEntry => ({
    value: `docs ${path}`,
    icon: icon(Icon),
    name: title,
    note: heading === '' || heading === title ? undefined : heading,
    isCode: /^(?:[A-Z]+ \/|[a-z_]+$)/.test(title),
    select: open(heading === '' ? path : `${path}#${headingId(heading)}`),
  })

/** Returns the search results by section. If the best match isn't a guide, it is listed before the guides. */
function getDocs(hits: Hits): CommandSection[] {
  const sections = docsSections.map(({ section, name, icon: Icon }) => {
    const found = hits.filter((hit) => hit.section === section)
    return { name, entries: found.slice(0, maxPerSection).map(toDocsEntry(Icon)) }
  })
  const [first] = hits
  const best = docsSections.find(({ section }) => section === first?.section)
  if (!first || !best || best.section === 'Guides' || hits.every(({ section }) => section !== 'Guides')) return sections
  const rest = sections.map(({ name, entries }) => ({ name, entries: entries.filter(({ value }) => value !== `docs ${first.path}`) }))
  return [{ name: 'Best match', entries: [toDocsEntry(best.icon)(first)] }, ...rest]
}

function getKeys({ keys }: Own, text: string): CommandSection {
  const entries = keys
    .filter(({ name, hint, id }) => isMatch(text, name, hint, id))
    .slice(0, maxPerSection)
    .map(({ id, name, hint }) => ({ value: `key ${id}`, icon: icon(KeyRound), name, note: hint, select: open(`/portal/keys/${id}`) }))
  return { name: 'Keys', entries }
}

async function openForAdmin(id: string): Promise<void> {
  try {
    location.assign(await findForAdmin(id))
  } catch {
    toast('No results for this ID. Check it and try again.', { tone: 'danger', description: id })
  }
}

/** Returns an entry that opens the object with a pasted id: one of the reader's requests or, in the admin area, any request, account or key. */
function getNamed(scope: PaletteScope, text: string): CommandSection {
  const [id] = (scope === 'admin' ? adminId : requestId).exec(text) ?? []
  if (id === undefined) return { name: 'Ids', entries: [] }
  const isRequest = id.startsWith('req_')
  const name = isRequest ? 'Open request' : 'Open account'
  const select = scope === 'admin' ? () => void openForAdmin(id) : open(`/portal/requests/${id}`)
  return { name: 'Ids', entries: [{ value: id, icon: icon(isRequest ? Rows3 : KeyRound), name, note: id, select }] }
}

function getAccounts(accounts: ReturnType<typeof useAccounts>): CommandSection {
  const entries = accounts
    .slice(0, maxPerSection)
    .map(({ id, email }) => ({ value: `account ${id}`, icon: icon(Users), name: email, note: id, select: open(`/admin/accounts/${id}`) }))
  return { name: 'Accounts', entries }
}

type Found = { readonly hits: Hits; readonly own: Own; readonly accounts: ReturnType<typeof useAccounts> }

function getSections(scope: PaletteScope, text: string, { hits, own, accounts }: Found): CommandSection[] {
  const query = text.trim()
  const { here, elsewhere } = getPages(scope, own.reader)
  const pages = query === '' ? here : [...here, ...elsewhere, ...getActions()].filter(({ name, words, note }) => isMatch(query, name, words, note))
  const pageSection = { name: 'Pages', entries: pages.map(toEntry) }
  const docs = getDocs(hits)
  const all = {
    value: 'all results',
    icon: icon(Search),
    name: `Search the docs for “${query}”`,
    select: open(`/docs/search?${new URLSearchParams({ q: query })}`),
  }
  return [
    getNamed(scope, query),
    ...(scope === 'site' && query !== '' ? [...docs, pageSection, getKeys(own, query)] : [pageSection, getAccounts(accounts), getKeys(own, query), ...docs]),
    { name: 'Docs search', entries: hits.length === 0 ? [] : [all] },
  ].filter(({ entries }) => entries.length > 0)
}

type Props = { scope: PaletteScope; isOpen: boolean; setOpen: (isOpen: boolean) => void; text: string; setText: (text: string) => void }

const placeholders: Readonly<Record<PaletteScope, string>> = {
  site: 'Search docs, endpoints and errors',
  portal: 'Search pages, docs and keys, or paste a request ID',
  admin: 'Search pages and accounts, or paste an ID',
}

function Palette({ scope, isOpen, setOpen, text, setText }: Props) {
  const [chosen, setChosen] = useState('')
  const { hits, isPending, isError } = useDocsSearch(text)
  const sections = getSections(scope, text, { hits, own: useOwn(scope, isOpen), accounts: useAccounts(scope, text) })
  const first = sections[0]?.entries[0]?.value ?? ''
  // The best entry is highlighted again when the results change.
  useEffect(() => setChosen(first), [first])
  const close = (select: () => void) => () => {
    setOpen(false)
    select()
  }
  const count = sections.reduce((sum, { entries }) => sum + entries.length, 0)
  const empty = isPending ? 'Searching…' : `No results for “${text.trim()}”.`
  return (
    <>
      <Command
        label="Search the site"
        placeholder={placeholders[scope]}
        text={text}
        setText={setText}
        chosen={chosen}
        setChosen={setChosen}
        sections={sections.map(({ name, entries }) => ({ name, entries: entries.map((entry) => ({ ...entry, select: close(entry.select) })) }))}
        empty={empty}
      />
      <p role="status" className="sr-only">
        {isPending ? '' : `${count} ${count === 1 ? 'result' : 'results'}`}
      </p>
      <p className={`border-t border-line bg-sunken px-4 py-2 text-note ${isError ? 'text-danger' : 'text-ink-2 max-sm:hidden'}`}>
        {isError ? 'The docs search failed. Try again.' : '↑ ↓ to move, Enter to open, Esc to close'}
      </p>
    </>
  )
}

/** Command palette: pages, documentation, the reader's own keys, and requests by id. */
export function CommandPalette(props: Props) {
  return (
    <Dialog isOpen={props.isOpen} setOpen={props.setOpen} label="Search">
      <QueryClientProvider client={paletteQueries}>
        <Palette {...props} />
      </QueryClientProvider>
    </Dialog>
  )
}
