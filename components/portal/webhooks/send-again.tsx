import { useFormState } from '#components/ui/form-context.tsx'

/** Hidden field with the cursor from which to continue a range that is too long for one request. */
export function ContinueAfter() {
  const [after = ''] = useFormState().typed['after'] ?? []
  return <input type="hidden" name="after" value={after} />
}
