import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toHref } from '#components/admin/kit/search.ts'
import { hasSignedInMark } from '#components/site/signed-in-mark.ts'
import { newTRPCClient } from '#components/trpc/trpc-client.ts'
import type { PaletteScope } from './page-entries.tsx'

/** Queries of the palette. Public pages have no other queries, so the palette creates its own client. */
export const paletteQueries = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false, refetchOnWindowFocus: false } } })

const timeoutMs = 10_000
const portal = newTRPCClient()

/** Returns a value once it has been unchanged for `delayMs`. */
function useSettled<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}

type DocsHit = {
  readonly path: string
  readonly title: string
  readonly section: 'Guides' | 'Reference' | 'Errors' | 'Terms'
  readonly heading: string
}

async function searchDocs(query: string, signal: AbortSignal): Promise<readonly DocsHit[]> {
  const response = await fetch(`/api/search?${new URLSearchParams({ q: query })}`, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
  if (!response.ok) throw new Error(`The search returned ${response.status}.`)
  return ((await response.json()) as { results: readonly DocsHit[] }).results
}

const settleMs = 120
const minLength = 2

/** Searches the documentation while the reader types. Keeps the previous results until the next ones arrive. */
export function useDocsSearch(text: string) {
  const query = useSettled(text.trim(), settleMs)
  const isOn = query.length >= minLength && text.trim().length >= minLength
  const { data, isFetching, isError } = useQuery({
    queryKey: ['docs', query],
    queryFn: ({ signal }) => searchDocs(query, signal),
    enabled: isOn,
    placeholderData: keepPreviousData,
  })
  return { hits: isOn ? (data ?? []) : [], isPending: isOn && (isFetching || query !== text.trim()), isError: isOn && isError }
}

/** Returns the reader's account, and their keys once the account is known. Both are empty if nobody is signed in. */
export function useOwn(scope: PaletteScope, isOpen: boolean) {
  const isOn = isOpen && (scope !== 'site' || hasSignedInMark(document.cookie))
  const session = useQuery({ queryKey: ['session'], queryFn: () => portal.session.current.query(), enabled: isOn })
  const hasKeys = session.data != null && session.data.state !== 'blocked'
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => portal.keys.list.query(), enabled: isOn && hasKeys })
  return { reader: session.data ?? null, keys: hasKeys ? (keys.data ?? []) : [] }
}

/** In an admin request, an email must not get into the URL. */
const admin = newTRPCClient(true)

/** Finds accounts by id, the start of an email or a part of the name, while an administrator types. */
export function useAccounts(scope: PaletteScope, text: string) {
  const search = useSettled(text.trim(), settleMs)
  const isOn = scope === 'admin' && search.length >= minLength && text.trim().length >= minLength
  const query = () => admin.admin.accounts.people.query({ search, isAdmin: false })
  const { data } = useQuery({ queryKey: ['accounts', search], queryFn: query, enabled: isOn, placeholderData: keepPreviousData })
  return isOn ? (data ?? []) : []
}

/** Returns the admin page of a request, an account or a key, found by its id. */
export async function findForAdmin(id: string): Promise<string> {
  const found = await portal.admin.accounts.find.query({ search: id })
  return 'account' in found ? `/admin/accounts/${found.account}${found.request === null ? '' : `/requests/${found.request}`}` : toHref('/admin/accounts', found)
}
