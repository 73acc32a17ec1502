'use client'

import { toast } from '#components/ui/toast.tsx'

/** Permanent id in small type. A click copies it. */
export function CopyId({ id }: { id: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(id)
      toast('ID copied')
    } catch {
      toast('Your browser doesn’t allow copying. Select the ID and copy it yourself.', { tone: 'danger' })
    }
  }
  return (
    <button
      type="button"
      title="Copy the ID"
      onClick={copy}
      className="cursor-copy rounded-control font-mono text-note font-normal text-ink-2 select-text hover:bg-hover"
    >
      {id}
    </button>
  )
}
