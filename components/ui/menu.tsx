'use client'

import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'

const item =
  'flex min-h-9 w-full cursor-pointer items-center gap-2.5 rounded-control px-2.5 text-left text-ink-2 outline-none select-none data-highlighted:bg-hover data-highlighted:text-ink max-lg:min-h-11'

type MenuProps = {
  /** Button that opens the menu. It has its own click handler, and receives the focus when the menu closes. */
  anchor: RefObject<HTMLElement | null>
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  children: ReactNode
}

/** Menu below a button. Its code can be loaded after the button, so the button is not part of it. */
export function Menu({ anchor, isOpen, setOpen, children }: MenuProps) {
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open, { event }) => {
        // A click on the button closes the menu through the button's own handler.
        if (!open && event.target instanceof Node && anchor.current?.contains(event.target) && event.type !== 'keydown') return
        setOpen(open)
      }}
    >
      {/* Rendered inside the button's header or main element, so that the menu is inside a landmark. */}
      <Base.Portal container={anchor.current?.closest('header, main')}>
        <Base.Positioner anchor={anchor} side="bottom" align="end" sideOffset={6} className="z-40 outline-none">
          <Base.Popup
            finalFocus={anchor}
            className="w-64 rounded-panel bg-surface p-1.5 text-ink shadow-float outline-none transition-[opacity,translate] duration-120 ease-out data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0 motion-reduce:transition-none"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Link in a menu. */
export function MenuLink({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Base.LinkItem href={href} className={item}>
      {icon}
      {children}
    </Base.LinkItem>
  )
}

/** Button in a menu that submits a form elsewhere on the page. */
export function MenuSubmit({ form, icon, children }: { form: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Base.Item nativeButton render={<button type="submit" form={form} />} className={item}>
      {icon}
      {children}
    </Base.Item>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  value: Value | null
  choices: readonly { readonly value: Value; readonly name: string; readonly icon: ReactNode }[]
  choose: (value: Value) => void
}

/** Group of menu items of which one is chosen. Choosing keeps the menu open. */
export function MenuChoice<Value extends string>({ label, value, choices, choose }: ChoiceProps<Value>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2.5 pt-1 pb-1.5 text-note font-medium text-ink-3">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next: Value) => choose(next)}>
        {choices.map((choice) => (
          <Base.RadioItem key={choice.value} value={choice.value} className={item}>
            {choice.icon}
            <span className="grow">{choice.name}</span>
            <Base.RadioItemIndicator>
              <Check aria-hidden="true" className="size-4 text-accent" />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

/** Separator between groups of a menu. */
export function MenuLine() {
  return <Base.Separator className="mx-2.5 my-1.5 h-px bg-line" />
}
