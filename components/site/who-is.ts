/** Display name of an account in the top bar: its name, else its email. */
export const whoIs = ({ name, email }: { name: string; email: string }): string => (name === '' ? email : name)
