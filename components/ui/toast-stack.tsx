'use client'

import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect } from 'react'

export type ToastMessage = {
  readonly title: string
  readonly description?: string
  /** `danger` is for failures: announced at once and shown for longer. */
  readonly tone: 'good' | 'danger'
}

const shownMs = { good: 5_000, danger: 12_000 } as const satisfies Record<ToastMessage['tone'], number>

const icons = {
  good: <CircleCheck aria-hidden="true" className="mt-px size-4.5 shrink-0 text-good" />,
  danger: <CircleAlert aria-hidden="true" className="mt-px size-4.5 shrink-0 text-danger" />,
} as const

type Props = {
  /** Toasts to add to the stack. */
  queue: readonly ToastMessage[]
  take: () => readonly ToastMessage[]
}

function Stack({ queue, take }: Props) {
  const { toasts, add } = Toast.useToastManager<{ tone: ToastMessage['tone'] }>()
  useEffect(() => {
    if (queue.length === 0) return
    for (const { title, description, tone } of take())
      add({ title, description, timeout: shownMs[tone], priority: tone === 'danger' ? 'high' : 'low', data: { tone } })
  }, [queue, take, add])
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['right', 'down']}
      className="flex w-full gap-2.5 rounded-panel bg-surface p-3 shadow-float transition-[opacity,transform] duration-160 ease-out data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 motion-reduce:transition-none"
    >
      <Toast.Content className="flex min-w-0 grow items-start gap-2.5">
        {icons[toast.data?.tone ?? 'good']}
        <div className="min-w-0 grow">
          <Toast.Title render={<p />} className="font-medium text-pretty" />
          <Toast.Description className="text-table text-pretty text-ink-2" />
        </div>
        <Toast.Close
          aria-label="Close"
          className="-m-1 flex size-8 shrink-0 cursor-pointer items-center justify-center rounded-control text-ink-2 hover:bg-hover"
        >
          <X aria-hidden="true" className="size-4" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}

/** Stack of toasts in the bottom corner, newest last. F6 moves the focus there; hovering or focusing it stops the timers. */
export function ToastStack(props: Props) {
  return (
    <Toast.Provider limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-4 z-50 flex flex-col gap-2 sm:left-auto sm:w-90 print:hidden">
          <Stack {...props} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
