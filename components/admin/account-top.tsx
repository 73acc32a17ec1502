import { accountHref } from './section.tsx'

/** Heading of a sub-page of an account. */
export function AccountTop({ account, title }: { account: { readonly id: string; readonly email: string }; title: string }) {
  return (
    <>
      <p className="mb-2">
        <a className="prose-link wrap-anywhere" href={accountHref(account.id)}>
          {account.email}
        </a>
      </p>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">{title}</h1>
    </>
  )
}
