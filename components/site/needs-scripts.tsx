/** Notice that is shown if JavaScript is off. */
export function NeedsScripts() {
  return (
    <noscript>
      <p className="mb-6 rounded-panel border border-caution bg-caution-wash px-4 py-3">This page needs JavaScript. Turn it on in your browser to continue.</p>
    </noscript>
  )
}
