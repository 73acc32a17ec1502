import { readBody } from '../../support/accounts.ts'

/** Page after following redirects. */
export type Page = {
  readonly status: number
  /** Final path and query. */
  readonly path: string
  readonly html: string
  /** Visible text of the page. */
  readonly text: string
  readonly headers: Headers
  /** Result of the procedure that the submitted form calls. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read results of any shape
  readonly result?: any
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'", nbsp: ' ' }

const unescaped = (text: string): string => text.replace(/&(amp|lt|gt|quot|#x27|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')

function readable(html: string): string {
  const body = html.slice(Math.max(0, html.indexOf('<body')))
  const words = body
    .replace(/<(script|style|template)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
  return unescaped(words)
    .replace(/\s+/g, ' ')
    .replace(/ ([.,:;?!])/g, '$1')
    .trim()
}

const attribute = (tag: string, name: string): string | null => {
  const found = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1]
  return found === undefined ? null : unescaped(found)
}

/** Returns the form that contains a button with this label. */
function formWith(page: Page, button: string): string {
  const forms = page.html.match(/<form[\s\S]*?<\/form>/g) ?? []
  const found = forms.find((form) => getButtons(form).some((one) => readable(`<body>${one}`) === button))
  if (!found) throw new Error(`${page.path} (${page.status}) has no form with the button "${button}":\n${page.text}`)
  return found
}

type Fields = Record<string, string | readonly string[]>

/** Returns the initial value of an input; null if a browser would not send it. */
function inputValue(tag: string): readonly [name: string, value: string] | null {
  const name = attribute(tag, 'name')
  const isChoice = /type="(?:checkbox|radio)"/.test(tag)
  if (name === null || (isChoice && !/\schecked(?:=|\s|\/|>)/.test(tag))) return null
  return [name, attribute(tag, 'value') ?? (isChoice ? 'on' : '')]
}

/** Returns the initial value of a select: the selected option, or the first. */
function selectValue(list: string): readonly [name: string, value: string] | null {
  const options = list.match(/<option\b[^>]*>/g) ?? []
  const selected = options.find((option) => /\sselected(?:=|\s|\/|>)/.test(option)) ?? options[0]
  const name = attribute(list, 'name')
  return name === null || selected === undefined ? null : [name, attribute(selected, 'value') ?? '']
}

/** Returns the initial value of a textarea. */
function textareaValue(area: string): readonly [name: string, value: string] | null {
  const [, tag = '', text = ''] = /^(<textarea\b[^>]*>)\n?([\s\S]*)<\/textarea>$/.exec(area) ?? []
  const name = attribute(tag, 'name')
  return name === null ? null : [name, unescaped(text)]
}

const getButtons = (form: string): string[] => form.match(/<button[^>]*type="submit"[\s\S]*?<\/button>/g) ?? []

/** Returns the initial values of all fields of a form. */
const initialValues = (form: string) => [
  ...(form.match(/<input\b[^>]*>/g) ?? []).map(inputValue),
  ...(form.match(/<textarea\b[\s\S]*?<\/textarea>/g) ?? []).map(textareaValue),
  ...(form.match(/<select\b[\s\S]*?<\/select>/g) ?? []).map(selectValue),
]

/** Builds the data that a browser without JavaScript would submit: initial values, filled fields and the clicked button. */
function buildFormData(form: string, button: string, fields: Fields): FormData {
  const data = new FormData()
  for (const field of initialValues(form)) if (field && !(field[0] in fields)) data.append(...field)
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) data.append(name, one)
  const submittedForm = getButtons(form).find((one) => readable(`<body>${one}`) === button) ?? ''
  const name = attribute(submittedForm, 'name')
  if (name !== null) data.append(name, attribute(submittedForm, 'value') ?? '')
  return data
}

type Values = Record<string, string | boolean | null | readonly string[]>

/** Returns the names of the checkboxes or radio buttons in a form. */
const choiceNames = (form: string, type: 'checkbox' | 'radio'): string[] =>
  (form.match(/<input\b[^>]*>/g) ?? []).filter((tag) => attribute(tag, 'type') === type).map((tag) => attribute(tag, 'name') ?? '')

/**
 * Returns the values that react-hook-form reads from a form: an array for checkboxes that share a name, false for a single unticked checkbox, null for radio
 * buttons with none selected.
 */
function toValues(form: string, fields: Fields): Values {
  const data = buildFormData(form, '', fields)
  const boxes = choiceNames(form, 'checkbox')
  const names = [...new Set([...boxes, ...choiceNames(form, 'radio'), ...data.keys()])]
  const read = (name: string) => {
    const given = data.getAll(name).map(String)
    if (boxes.filter((box) => box === name).length > 1) return given
    return given[0] ?? (boxes.includes(name) ? false : null)
  }
  return Object.fromEntries(names.map((name) => [name, read(name)]))
}

/** Returns the page as it looks once the form shows the errors of a procedure. */
function withErrors(page: Page, answer: { status: number; body: unknown }): Page {
  const { message, data } = getError(answer) ?? (answer.body as { error: { message: string } }).error
  const messages: string[] = data?.proof ? ["Confirm it's you"] : Object.values(data?.fields ?? { form: message })
  return { ...page, status: answer.status, text: ['There is a problem', ...messages, page.text].join(' ') }
}

export type SendInit = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }

/** Browser without JavaScript: keeps cookies, follows redirects and submits forms. */
export class Visitor {
  readonly origin: string
  readonly cookies = new Map<string, string>()
  /** Targets of all redirects. */
  readonly ways: string[] = []
  readonly agent: string

  constructor(origin: string, agent = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36') {
    this.origin = origin
    this.agent = agent
  }

  /** Sends one request, keeps its cookies, and doesn't follow redirects. */
  async send(path: string, init: SendInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'user-agent': this.agent, ...(cookie === '' ? {} : { cookie }), ...init.headers }
    const response = await fetch(new URL(path, this.origin), { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) this.keep(line)
    const way = response.headers.get('location')
    if (way !== null) this.ways.push(way)
    return response
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';')
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    const isGone = attributes.some((one) => /^\s*max-age=0$/i.test(one)) || pair.slice(at + 1) === ''
    if (isGone) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(at + 1))
  }

  /** Follows redirects that stay on this host, and returns the final page. */
  async follow(response: Response, path: string): Promise<Page> {
    let [at, answer] = [path, response]
    for (let hops = 0; hops < 10 && [301, 302, 303, 307, 308].includes(answer.status); hops++) {
      const target = new URL(answer.headers.get('location') ?? '', new URL(at, this.origin))
      await answer.body?.cancel()
      at = target.origin === this.origin ? `${target.pathname}${target.search}` : target.href
      if (target.origin !== this.origin) return { status: answer.status, path: at, html: '', text: '', headers: answer.headers }
      answer = await this.send(at)
    }
    const html = await answer.text()
    return { status: answer.status, path: at, html, text: readable(html), headers: answer.headers }
  }

  async open(path: string): Promise<Page> {
    return this.follow(await this.send(path), path)
  }

  /**
   * Fills in the given fields of a page, clicks a button, and follows redirects. A form that calls a procedure opens the page that the result names (`next` or
   * `url`). Otherwise it stays on its page, which then starts with the error messages, or has the result.
   */
  async submitForm(page: Page, button: string, fields: Fields = {}, headers: Record<string, string> = {}): Promise<Page> {
    const form = formWith(page, button)
    const [, procedure] = /^\/api\/trpc\/([\w.]+)$/.exec(attribute(form, 'action') ?? '') ?? []
    if (procedure !== undefined) return this.callFromForm(page, procedure, toValues(form, fields), headers)
    return this.follow(await this.submit(page, button, fields, headers), page.path)
  }

  /** Clicks a button without following redirects. A form without an action is a server action and is posted to its own page. */
  submit(page: Page, button: string, fields: Fields = {}, headers: Record<string, string> = {}): Promise<Response> {
    const form = formWith(page, button)
    const action = attribute(form, 'action') ?? ''
    const data = buildFormData(form, button, fields)
    const body = action === '' ? data : new URLSearchParams([...data].map(([name, value]) => [name, String(value)]))
    return this.send(action === '' ? page.path : action, { method: 'POST', body, headers: { origin: this.origin, ...headers } })
  }

  /** Calls a procedure with a form's values, as components/forms/mutation-form.tsx does. */
  private async callFromForm(page: Page, procedure: string, values: Values, headers: Record<string, string>): Promise<Page> {
    const { identityPassword, identityCode, ...input } = values
    if (identityPassword !== undefined || identityCode !== undefined) {
      const proof = await this.call('security.reauthenticate', 'mutation', { password: identityPassword ?? '', code: identityCode ?? '' }, headers)
      if (proof.status !== 200) return withErrors(page, proof)
    }
    const answer = await this.call(procedure, 'mutation', input, headers)
    if (answer.status !== 200) return withErrors(page, answer)
    const result = getData(answer)
    const next: unknown = result?.next ?? result?.url
    // In other results, `next` is a cursor.
    if (typeof next !== 'string' || !/^(?:\/|https?:)/.test(next)) return { ...page, status: answer.status, result }
    const target = new URL(next, this.origin)
    if (target.origin !== this.origin) return { ...page, status: answer.status, path: next, html: '', text: '', result }
    return { ...(await this.open(target.pathname + target.search)), result }
  }

  /** Calls a procedure of the portal as its pages do. */
  async call(procedure: string, kind: 'query' | 'mutation', input?: unknown, headers: Record<string, string> = {}): Promise<{ status: number; body: unknown }> {
    const json = input === undefined ? null : JSON.stringify(input)
    const own = 'origin' in headers ? headers : { origin: this.origin, 'sec-fetch-site': 'same-origin', ...headers }
    const response =
      kind === 'query'
        ? await this.send(`/api/trpc/${procedure}${json === null ? '' : `?input=${encodeURIComponent(json)}`}`, { headers: own })
        : await this.send(`/api/trpc/${procedure}`, { method: 'POST', body: json ?? '{}', headers: { ...own, 'content-type': 'application/json' } })
    return { status: response.status, body: readBody(await response.text()) }
  }
}

/** Unwraps the result of a procedure. */
// biome-ignore lint/suspicious/noExplicitAny: tests read results of any shape
export const getData = (answer: { body: unknown }): any => (answer.body as { result?: { data?: { json?: unknown } } }).result?.data?.json

/** Unwraps the error of a procedure. */
// biome-ignore lint/suspicious/noExplicitAny: tests read results of any shape
export const getError = (answer: { body: unknown }): any => (answer.body as { error?: { json?: unknown } }).error?.json
