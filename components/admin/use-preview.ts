'use client'

import { useQueryClient } from '@tanstack/react-query'
import type { Values } from '#components/forms/client-form.tsx'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'

/** Returns a function that loads the preview of a change to an account. */
export function usePreview(account: string) {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  return (kind: 'block' | 'decline' | 'plan' | 'limits' | 'key') => (values: Values) =>
    client.fetchQuery({ ...trpc.admin.accounts.preview.queryOptions({ ...values, account, kind } as never), staleTime: 0, retry: false })
}
