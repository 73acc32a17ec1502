'use client'

import { CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from 'cmdk'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'

export type CommandEntry = {
  /** Unique in the list. */
  readonly value: string
  readonly icon: ReactNode
  readonly name: string
  readonly note?: string | undefined
  /** Set in the code font. */
  readonly isCode?: boolean
  readonly select: () => void
}

export type CommandSection = { readonly name: string; readonly entries: readonly CommandEntry[] }

type Props = {
  label: string
  placeholder: string
  text: string
  setText: (text: string) => void
  /** Value of the highlighted entry. */
  chosen: string
  setChosen: (value: string) => void
  sections: readonly CommandSection[]
  /** Shown in place of an empty list. */
  empty: ReactNode
}

function Entry({ value, icon, name, note, isCode = false, select }: CommandEntry) {
  return (
    <CommandItem
      value={value}
      onSelect={select}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 text-ink-2 data-[selected=true]:bg-accent-wash data-[selected=true]:text-ink"
    >
      {icon}
      <span className={`shrink-0 font-medium text-ink ${isCode ? 'font-mono text-table' : ''} max-w-full truncate`}>{name}</span>
      {note === undefined ? null : <span className="min-w-0 grow truncate text-table">{note}</span>}
    </CommandItem>
  )
}

/** Field with a list of entries below it: arrow keys move, Enter selects. The caller filters the entries. */
export function Command({ label, placeholder, text, setText, chosen, setChosen, sections, empty }: Props) {
  return (
    <CommandRoot label={label} shouldFilter={false} loop value={chosen} onValueChange={setChosen} className="flex min-h-0 flex-col">
      <div className="flex items-center gap-3 border-b border-line px-4 focus-within:border-accent">
        <Search aria-hidden="true" className="size-4.5 shrink-0 text-ink-3" />
        <CommandInput
          value={text}
          onValueChange={setText}
          placeholder={placeholder}
          maxLength={200}
          className="h-14 min-w-0 grow bg-transparent text-[1rem] outline-none placeholder:text-ink-3"
        />
      </div>
      <CommandList label={label} className="min-h-0 grow overflow-y-auto overscroll-contain p-2">
        {sections.length === 0 ? <p className="px-3 py-6 text-center text-ink-2">{empty}</p> : null}
        {sections.map(({ name, entries }) => (
          <CommandGroup
            key={name}
            heading={name}
            className="mb-2 last:mb-0 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-note [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-3"
          >
            {entries.map((entry) => (
              <Entry key={entry.value} {...entry} />
            ))}
          </CommandGroup>
        ))}
      </CommandList>
    </CommandRoot>
  )
}
