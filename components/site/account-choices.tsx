'use client'

import { useMutation } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { goTo } from '#components/forms/go-to.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { MenuChoice, MenuLine } from '#components/ui/menu.tsx'

/** Account that the user can switch to. */
export type AccountChoice = { readonly publicId: string; readonly label: string }

/** Group of the account menu with the accounts that the user can switch to. */
export function AccountChoices({ accounts, shown }: { accounts: readonly AccountChoice[]; shown: string }) {
  // Loads the page again, because everything on it belongs to the previous account.
  const { mutate, error } = useMutation(useTRPC().session.switchAccount.mutationOptions({ onSuccess: () => goTo('/portal') }))
  return (
    <>
      <MenuChoice
        label="Account"
        value={shown}
        choices={accounts.map(({ publicId, label }) => ({ value: publicId, name: label, icon: <Building2 aria-hidden="true" className="size-4 shrink-0" /> }))}
        choose={(account) => (account === shown ? undefined : mutate({ account }))}
      />
      {error === null ? null : (
        <p role="alert" className="px-2.5 py-1 text-note font-medium text-danger">
          {error.message}
        </p>
      )}
      <MenuLine />
    </>
  )
}
