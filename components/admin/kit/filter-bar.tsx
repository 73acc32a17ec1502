'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { goTo } from '#components/forms/go-to.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { Select } from '#components/ui/select.tsx'
import { toHref } from './search.ts'

type Filter = {
  readonly name: string
  readonly label: string
  readonly value: string | null
  /** Options of a select. */
  readonly options?: readonly (readonly [value: string, label: string])[]
  /** Option that matches everything. */
  readonly any?: string
  /** `person` takes an email address or an account id. Only the id gets into the URL. */
  readonly type?: 'text' | 'date' | 'person' | 'checkbox'
  readonly placeholder?: string
}

const box = 'h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-2 text-base sm:h-9 sm:text-table'

function Control({ name, value, options, any, type = 'text', placeholder }: Filter) {
  if (options)
    return (
      <Select name={name} defaultValue={value ?? ''} className={box}>
        {any === undefined ? null : <option value="">{any}</option>}
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </Select>
    )
  if (type === 'checkbox') return <input type="checkbox" name={name} value="yes" defaultChecked={value !== null} className="size-5" />
  return (
    <input
      // If the browser submits the form itself, an email address must not end up in the URL.
      name={type === 'person' ? undefined : name}
      data-person={type === 'person' ? name : undefined}
      type={type === 'date' ? 'date' : 'text'}
      defaultValue={value ?? ''}
      placeholder={placeholder}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      maxLength={254}
      className={box}
    />
  )
}

const look = { checkbox: 'flex h-11 items-center gap-2 sm:h-9', other: 'flex min-w-0 flex-col gap-1 sm:max-w-64 sm:min-w-36 sm:flex-1' } as const

/** Maximum number of accounts listed in an error. */
const maxNamed = 5

/** Replaces the people entered in a form with the ids of their accounts. */
function usePeople() {
  const [trpc, client] = [useTRPC(), useQueryClient()]
  const toId = async (search: string, isAdmin: boolean): Promise<string> => {
    const [found, ...others] = await client.fetchQuery({ ...trpc.admin.accounts.people.queryOptions({ search, isAdmin }), retry: false })
    if (found === undefined) throw new Error(`No ${isAdmin ? 'administrator' : 'account'} matches “${search}”. Enter an email, the start of one, or a name.`)
    if (others.length === 0) return found.id
    const emails = [found, ...others].map(({ email }) => email)
    throw new Error(
      `Several accounts match “${search}”: ${emails.slice(0, maxNamed).join(', ')}${emails.length > maxNamed ? ' and others' : ''}. Enter more of the email.`,
    )
  }
  return async (form: HTMLFormElement) => {
    const inputs = [...form.querySelectorAll<HTMLInputElement>('input[data-person]')].filter(({ value }) => value.trim() !== '')
    return Object.fromEntries(
      await Promise.all(inputs.map(async ({ dataset, value }) => [dataset['person'], await toId(value.trim(), dataset['person'] === 'admin')] as const)),
    )
  }
}

type Props = { path: string; filters: readonly Filter[]; button: string; all?: string; results?: ReactNode }

/** Filters of a list, stored in the URL. `all` is the label of the link that clears them. `results` is the list, hidden while a filter has an error. */
export function FilterBar({ path, filters, button, all = 'Show all', results }: Props) {
  const [fault, setFault] = useState<string | null>(null)
  const findPeople = usePeople()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setFault(null)
    const form = event.currentTarget
    const typed = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))
    try {
      await goTo(toHref(path, { ...typed, ...(await findPeople(form)) }))
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <search>
        <form action={path} onSubmit={submit} className="mb-4 grid grid-cols-2 items-end gap-3 rounded-panel border border-line p-3 sm:flex sm:flex-wrap">
          {filters.map((filter) => (
            // biome-ignore lint/a11y/noLabelWithoutControl: the control is in Control
            <label key={filter.name} className={filter.type === 'checkbox' ? look.checkbox : look.other}>
              <span className="text-note font-medium">{filter.label}</span>
              <Control {...filter} />
            </label>
          ))}
          {fault === null ? null : (
            <p role="alert" className="basis-full font-medium text-danger">
              {fault}
            </p>
          )}
          <div className="col-span-2 flex flex-wrap gap-3">
            <Button kind="filter" type="submit">
              {button}
            </Button>
            {filters.some(({ value, any, options }) => value !== null && (any !== undefined || !options)) ? (
              <ButtonLink kind="second" size="compact" href={path}>
                {all}
              </ButtonLink>
            ) : null}
          </div>
        </form>
      </search>
      {fault === null ? results : null}
    </>
  )
}
