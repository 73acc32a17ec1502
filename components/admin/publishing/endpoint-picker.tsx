'use client'

import { useId, useState } from 'react'
import { useController } from 'react-hook-form'
import { useFieldId, useFormState } from '#components/ui/form-context.tsx'
import { Path } from '#components/ui/phrase.tsx'

export type Endpoint = { readonly id: string; readonly name: string }

type Props = { name: string; legend: string; hint: string; endpoints: readonly Endpoint[]; chosen: readonly string[] }

/** Returns the endpoints whose id or path contains every typed word. */
function matching(endpoints: readonly Endpoint[], typed: string): readonly Endpoint[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return endpoints.filter(({ id, name }) => words.every((word) => `${id} ${name}`.toLowerCase().includes(word)))
}

/** Checkboxes for endpoints, with a field that filters the list. The value is the list of ticked ids. Ticked endpoints are always listed. */
export function EndpointPicker({ name, legend, hint, endpoints, chosen }: Props) {
  const { field } = useController({ name, defaultValue: [...chosen] })
  const { faults } = useFormState()
  const [id, searchId] = [useFieldId()(name), useId()]
  const [typed, setTyped] = useState('')
  const ticked: readonly string[] = field.value
  const fault = faults[name]
  const found = new Set(matching(endpoints, typed).map((one) => one.id))
  const shown = endpoints.filter((one) => found.has(one.id) || ticked.includes(one.id))
  const toggle = (value: string, isTicked: boolean) =>
    field.onChange(endpoints.map((one) => one.id).filter((one) => (one === value ? isTicked : ticked.includes(one))))
  return (
    <fieldset aria-describedby={`${id}-hint${fault === undefined ? '' : ` ${id}-fault`}`} className="min-w-0">
      <legend className="font-medium">
        {legend} <span className="font-normal text-ink-2">(optional)</span>
      </legend>
      <p id={`${id}-hint`} className="mt-1 text-note text-ink-2">
        {ticked.length === 0 ? hint : `${ticked.length} selected.`}
      </p>
      {fault === undefined ? null : (
        <p id={`${id}-fault`} className="mt-1 font-medium text-danger">
          <span className="sr-only">Error: </span>
          {fault}
        </p>
      )}
      <div className="mt-2 rounded-control border border-line-strong bg-surface">
        <label htmlFor={searchId} className="sr-only">
          Filter endpoints
        </label>
        <input
          id={searchId}
          type="search"
          value={typed}
          placeholder="Filter endpoints"
          autoComplete="off"
          spellCheck={false}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => {
            // Enter would submit the form.
            if (event.key === 'Enter') event.preventDefault()
          }}
          className="h-11 w-full rounded-control bg-transparent px-3 text-base sm:text-body"
        />
        <ul className="max-h-64 divide-y divide-line overflow-y-auto border-t border-line">
          {shown.map((one, index) => (
            <li key={one.id}>
              <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-1.5 hover:bg-hover sm:min-h-9">
                <input
                  // The error summary links to the first choice.
                  id={index === 0 ? id : undefined}
                  name={field.name}
                  type="checkbox"
                  value={one.id}
                  checked={ticked.includes(one.id)}
                  onChange={({ currentTarget }) => toggle(one.id, currentTarget.checked)}
                  onBlur={field.onBlur}
                  className="size-5 shrink-0"
                />
                <Path text={one.name} />
              </label>
            </li>
          ))}
          {shown.length === 0 ? <li className="px-3 py-2.5 text-ink-2">No endpoints match.</li> : null}
        </ul>
      </div>
    </fieldset>
  )
}
