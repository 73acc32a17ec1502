/** Returns a text field of a submitted form. Returns null if the field is missing, or if the body isn't a form. */
export async function readFormField(request: Request, name: string): Promise<string | null> {
  const value = await request.formData().then(
    (data) => data.get(name),
    () => null,
  )
  return typeof value === 'string' ? value : null
}
