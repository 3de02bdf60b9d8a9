// A browser without script: keeps cookies as their attributes say, follows nothing by itself, and sends forms as they stand on the page.

import { parse, type DefaultTreeAdapterMap } from 'parse5'
import { type PlainAnswer, type PlainRequest, sendPlain } from '../plain-send.ts'
import type { TestSite } from '../site.ts'
import { until } from '../until.ts'

type Node = DefaultTreeAdapterMap['node']
export type Element = DefaultTreeAdapterMap['element']

/** A form of a page: where it goes, and what it holds before anybody fills it in. */
export interface Form {
  readonly action: string
  readonly method: string
  readonly fields: Readonly<Record<string, string>>
  /** What may be filled in or pressed, in the order of the page. */
  readonly controls: readonly Control[]
}

export interface Control {
  readonly tag: string
  readonly type: string
  readonly name: string
  readonly value: string
}

export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Address that was asked. */
  readonly url: string
  readonly location: string
  readonly title: string
  readonly forms: readonly Form[]
  /** The form that goes to an address with this ending. */
  form(action: string): Form
}

export interface Visitor {
  readonly cookies: Map<string, string>
  /** Sent with every request, besides those that a browser sends by itself. */
  readonly headers: Record<string, string>
  /** Asks for a path below the slug, or for a whole address. */
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<Page>
  /** Sends a form, with these fields filled in; undefined leaves one out. */
  submit(
    form: Omit<Form, 'controls'>,
    fields?: Readonly<Record<string, string | undefined>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Page>
  /** Opens what an answer leads to, on this site. */
  follow(page: Page): Promise<Page>
  signIn(email?: string, password?: string): Promise<Page>
}

export const ownersPassword = 'correct horse battery staple'

/** Where a visitor goes; `fetch` where its certificate is one that only the test knows. */
export type Visited = Pick<TestSite, 'base' | 'address'> & { readonly fetch?: typeof fetch }

export function openVisitor(site: Visited, given: Readonly<Record<string, string>> = {}): Visitor {
  const cookies = new Map<string, string>()
  const headers: Record<string, string> = { ...given }

  const ask = async (
    url: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = { ...init, headers: { ...(cookie === '' ? {} : { cookie }), ...headers, ...init.headers } }
    const answer = await (site.fetch ? fetchBy(site.fetch, url, sent) : sendPlain(url, sent))
    for (const line of answer.headers.getSetCookie()) keep(cookies, line)
    return pageOf(url, answer)
  }
  const visitor: Visitor = {
    cookies,
    headers,
    open: (path, more = {}) => ask(absolute(site, path), { headers: { ...more } }),
    submit(form, fields = {}, more = {}) {
      const filled = Object.entries({ ...form.fields, ...fields }).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      )
      return ask(absolute(site, form.action), {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          ...more,
        },
        body: new URLSearchParams(filled).toString(),
      })
    },
    follow: (page) => ask(new URL(page.location, page.url).href),
    async signIn(email = 'owner@example.org', password = ownersPassword) {
      const page = await visitor.open('/admin/sign-in')
      return visitor.submit(page.form('/admin/sign-in'), { email, password })
    },
  }
  return visitor
}

/** The set-up link that a start printed. */
export async function setUpLinkOf({ words }: Pick<TestSite, 'words'>): Promise<string> {
  const link = () => /^Set up: (\S+)$/m.exec(words.join(''))?.[1]
  await until('a set-up link is printed', () => link() !== undefined)
  return link() ?? ''
}

/** A path of a form begins with the slug already. */
function absolute({ base, address }: Pick<TestSite, 'base' | 'address'>, path: string): string {
  if (/^https?:/.test(path)) return path
  const slug = base.slice(address.length)
  return slug !== '' && path.startsWith(`${slug}/`) ? address + path : base + path
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (/;\s*max-age=0\b/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}

export const parsed = (text: string): Node => parse(text)

async function fetchBy(by: typeof fetch, url: string, sent: PlainRequest): Promise<PlainAnswer> {
  const answer = await by(url, { ...sent, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

function pageOf(url: string, { status, headers, text }: PlainAnswer): Page {
  const elements = all(parsed(text))
  const forms = elements.filter(({ tagName }) => tagName === 'form').map(formOf)
  const title = elements.find(({ tagName }) => tagName === 'title')
  return {
    status,
    headers,
    text,
    url,
    location: headers.get('location') ?? '',
    title: title ? textOf(title) : '',
    forms,
    form(action) {
      const found = forms.find((form) => form.action.endsWith(action))
      if (!found) throw new Error(`No form goes to ${action}: ${status} ${text}`)
      return found
    },
  }
}

function formOf(form: Element): Form {
  const fields: Record<string, string> = {}
  const controls: Control[] = []
  for (const element of all(form)) {
    const name = attr(element, 'name')
    if (name !== undefined)
      controls.push({ tag: element.tagName, type: attr(element, 'type') ?? 'text', name, value: attr(element, 'value') ?? '' })
    if (name === undefined || !['input', 'textarea', 'select'].includes(element.tagName)) continue
    const type = attr(element, 'type')
    if ((type === 'radio' || type === 'checkbox') && attr(element, 'checked') === undefined) continue
    fields[name] = valueOf(element)
  }
  return { action: attr(form, 'action') ?? '', method: attr(form, 'method') ?? 'get', fields, controls }
}

function valueOf(element: Element): string {
  if (element.tagName === 'textarea') return textOf(element)
  if (element.tagName !== 'select') return attr(element, 'value') ?? ''
  const options = all(element).filter(({ tagName }) => tagName === 'option')
  const chosen = options.find((option) => attr(option, 'selected') !== undefined) ?? options[0]
  return chosen ? (attr(chosen, 'value') ?? textOf(chosen)) : ''
}

export const attr = (element: Element, name: string): string | undefined => element.attrs.find((one) => one.name === name)?.value

export function all(node: Node): Element[] {
  const children = 'childNodes' in node ? node.childNodes : []
  return children.flatMap((child) => ('tagName' in child ? [child, ...all(child)] : []))
}

export function textOf(node: Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}
