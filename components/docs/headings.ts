/** Returns the anchor of a heading: `What is never charged` becomes `what-is-never-charged`. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
