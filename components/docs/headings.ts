/** The address of a heading inside of its page: `What is never charged` is `what-is-never-charged`. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
