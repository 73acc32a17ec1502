/** Signed-in person, as the top bar shows them. */
export type Who = { readonly name: string; readonly email: string }

/** Returns one or two initials: of the first and the last name, or of the email if there is no name. */
export function getInitials({ name, email }: Who): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const parts = words.length > 0 ? [words[0], ...(words.length > 1 ? [words.at(-1)] : [])] : [email]
  return parts
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
