import { codeLanguageItem } from '#components/docs/code-language.ts'

/**
 * Runs in the browser before the first paint, so that nothing moves or changes afterwards. Marks the page of a signed-in reader, and shows code samples in the
 * reader's language, which it stores when the reader chooses another. Must not reference anything outside the function, because its source is sent as text.
 */
function prepare(item: string): void {
  if (/(?:^|;\s*)(?:__Host-)?svc\.signed-in=1(?:;|$)/.test(document.cookie)) document.documentElement.dataset['signedIn'] = ''
  let language = ''
  try {
    language = localStorage.getItem(item) ?? ''
  } catch {
    // Storage is disabled in this browser.
  }
  const show = () => {
    if (language === '') return
    for (const radio of document.querySelectorAll<HTMLInputElement>('input[data-language]')) if (radio.dataset['language'] === language) radio.checked = true
  }
  new MutationObserver(show).observe(document, { childList: true, subtree: true })
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.dataset['language'] === undefined) return
    language = target.dataset['language']
    show()
    try {
      localStorage.setItem(item, language)
    } catch {
      // Storage is disabled in this browser.
    }
  })
}

/** Script of every page that runs before the first paint. It needs the nonce of the page, like Next's scripts. */
export function EarlyScript({ nonce }: { nonce: string }) {
  return (
    <script nonce={nonce} suppressHydrationWarning>
      {`(${prepare})(${JSON.stringify(codeLanguageItem)})`}
    </script>
  )
}
