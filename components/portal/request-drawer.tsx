'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Drawer } from '#components/ui/drawer.tsx'
import { RequestDetail } from './request-detail.tsx'
import { getCurl } from './snippets.ts'

type Props = { id: string; close: () => void; baseUrl: string }

/** Drawer with the details of a request. */
export function RequestDrawer({ id, close, baseUrl }: Props) {
  const { data, error } = useQuery(useTRPC().requests.read.queryOptions({ id }))
  return (
    <Drawer isOpen close={close} label="Request details">
      {error === null ? null : <p>We couldn't load this request. It may be older than 30 days.</p>}
      {data === undefined ? (
        error === null && <div className="h-96 animate-pulse bg-sunken [animation-delay:200ms] motion-reduce:animate-none" role="status" aria-label="Loading" />
      ) : (
        <RequestDetail request={data} curl={getCurl(data, baseUrl)} isInDrawer />
      )}
    </Drawer>
  )
}
