import { navLink } from './nav-link.ts'

/** Sign-out button of the sidebar. */
export function SignOut({ action }: { action: () => Promise<void> }) {
  return (
    <form action={action}>
      <button type="submit" className={`${navLink} w-full cursor-pointer text-left`}>
        Sign out
      </button>
    </form>
  )
}
