/** What a bar calls whoever is signed in: the name that was given, or the address. */
export const whoIs = ({ name, email }: { name: string; email: string }): string => (name === '' ? email : name)
