/** Said beside the button of a form that was saved, on the page that comes after it. */
export function SavedWords({ isSaved, words = 'Saved.' }: { isSaved: boolean; words?: string }) {
  return isSaved ? (
    <span role="status" className="text-note font-medium text-good">
      {words}
    </span>
  ) : null
}
