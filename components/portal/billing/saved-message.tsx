/** Confirmation shown next to the submit button of a form that was just saved. */
export function SavedMessage({ isSaved, words = 'Saved.' }: { isSaved: boolean; words?: string }) {
  return isSaved ? (
    <span role="status" className="text-note font-medium text-good">
      {words}
    </span>
  ) : null
}
