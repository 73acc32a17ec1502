/** Name of the localStorage item with the reader's programming language. */
export const codeLanguageItem = 'svc-language'

/** Languages that a reader can choose. JavaScript samples count as TypeScript. */
const languages: Readonly<Record<string, string>> = { sh: 'curl', ts: 'typescript', js: 'typescript', python: 'python', php: 'php', go: 'go', ruby: 'ruby' }

/** Returns the choice that a code sample belongs to; undefined for formats such as JSON. */
export const getCodeLanguage = (language: string): string | undefined => languages[language]
