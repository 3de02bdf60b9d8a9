// Renders the templates of one theme. It runs in a thread that is terminated at a deadline, because the limits of the template
// engine don't stop everything (attack 103). Templates come from memory and can read only the data of the contract.

import { randomBytes } from 'node:crypto'
import { Context, type Emitter, Liquid, LiquidError, Tag, type TagToken, type Template, type TopLevelToken } from 'liquidjs'
import type { Parser } from 'liquidjs'
import type { ThemeData } from '../contract.ts'
import { setFilters } from './filters.ts'
import { withoutUnmarked } from './last-look.ts'
import { markTemplate } from './mark-template.ts'
import { Marks } from './marks.ts'
import { printed } from './safe-markup.ts'
import { templateFiles } from './template-files.ts'
import { template } from './template-data.ts'
import type { ThemeJob, JobAnswer, ThemeProblem, ThemeSource } from './theme-jobs.ts'

const limits = {
  /** The time for one page. This is wall-clock time, so on a busy machine further tries are allowed more. */
  renderMs: 100,
  secondMs: 1500,
  busyMs: 7500,
  /** The number of characters and items that templates may create. */
  memory: 5e6,
  /** The characters of all templates together. */
  parsed: 4e6,
  /** The characters of a page. */
  output: 4 * 1024 * 1024,
} as const

export interface ThemeEngine {
  /** The problems of templates that can't be parsed, one per file. */
  readonly problems: readonly ThemeProblem[]
  render(job: Pick<ThemeJob, 'template' | 'data'>): JobAnswer
}

/** Parses every template of a theme. */
export function createEngine({ templates, limited, assets, messages }: ThemeSource): ThemeEngine {
  let data: ThemeData | undefined
  // The name of the variable that prints the mark in templates of writers without limits. No template can know it.
  const markName = `m${randomBytes(16).toString('hex')}`
  const marked = Object.entries(templates).map(([file, text]): readonly [string, string] => [
    file,
    limited.includes(file) ? text : markTemplate(text, markName, limited.length === 0),
  ])
  const liquid = new Liquid({
    fs: templateFiles(Object.fromEntries(marked)),
    root: ['.'],
    extname: '.liquid',
    relativeReference: false,
    cache: 1000,
    ownPropertyOnly: true,
    strictVariables: true,
    lenientIf: true,
    strictFilters: true,
    outputEscape: printed,
    parseLimit: limits.parsed,
    memoryLimit: limits.memory,
  })
  setFilters(liquid, () => {
    if (data === undefined) throw new Error('no page is being rendered')
    return { data, assets, messages }
  })
  liquid.registerTag('capture', SafeCapture)
  Object.setPrototypeOf(liquid.tags, null)
  const files = new Map(marked.map(([file, text]) => [text, file]))
  const problems = Object.keys(templates).flatMap((file) => parseProblem(liquid, file, files))

  const renderWithin = (name: string, renderLimit: number): JobAnswer => {
    try {
      const parsed = liquid.parseFileSync(name)
      const shown = data as ThemeData
      const marks = new Marks()
      const options = { sync: true, renderLimit, globals: { [markName]: marks.active } }
      const scope = new ThemeContext(template(shown, marks), liquid.options, options, { liquid })
      scope.rendering = { marks, limited }
      const html = String(liquid.renderSync(parsed, scope))
      if (html.length > limits.output) throw new Error(`the page is longer than ${limits.output / 1024 / 1024} MiB`)
      return { html: withoutUnmarked(html, marks, shown.site.url) }
    } catch (error) {
      return { problems: [problemOf(error, `${name}.liquid`, files)] }
    }
  }

  return {
    problems,
    render(job) {
      data = job.data
      try {
        const first = renderWithin(job.template, limits.renderMs)
        if (!isTooLong(first)) return first
        const before = process.cpuUsage()
        const second = renderWithin(job.template, limits.secondMs)
        const { user, system } = process.cpuUsage(before)
        // The machine gave the second try less time than its limit: that says nothing about the template.
        const wasBusy = (user + system) / 1000 < limits.secondMs
        return isTooLong(second) && wasBusy ? renderWithin(job.template, limits.busyMs) : second
      } finally {
        data = undefined
      }
    },
  }
}

const isTooLong = (answer: JobAnswer): boolean =>
  'problems' in answer && answer.problems.some(({ message }) => message.startsWith('the template takes longer'))

function parseProblem(liquid: Liquid, file: string, files: FilesByText): readonly ThemeProblem[] {
  try {
    liquid.parseFileSync(file)
    return []
  } catch (error) {
    return [problemOf(error, file, files)]
  }
}

/** The data as a scope in which no method and no prototype can be reached (attack 102). */
class ThemeContext extends Context {
  rendering: { readonly marks: Marks; readonly limited: readonly string[] } = { marks: new Marks(), limited: [] }

  override readProperty(obj: never, key: never): unknown {
    const name: unknown = key
    if (typeof name === 'string' && (unreachable.has(name) || name.startsWith('__'))) return undefined
    const value: unknown = super.readProperty(obj, key)
    // `block.super` is the content of a layout's block, which is rendered already.
    return name === 'super' && isIterator(value) ? asSafe(value, this.rendering.marks) : value
  }

  override spawn(scope = {}): Context {
    const inner = new ThemeContext(
      scope,
      this.opts,
      { sync: this.sync, globals: this.globals, strictVariables: this.strictVariables },
      { renderLimit: this.renderLimit, memoryLimit: this.memoryLimit, ...(this.liquid ? { liquid: this.liquid } : {}) },
    )
    inner.rendering = this.rendering
    return inner
  }
}

const unreachable: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'superBlockRender',
  'liquidMethodMissing',
])

const isIterator = (value: unknown): value is Generator<unknown, unknown, never> =>
  typeof value === 'object' && value !== null && 'next' in value && 'throw' in value

function* asSafe(rendered: Generator<unknown, unknown, never>, marks: Marks): Generator<unknown, unknown, never> {
  const html: unknown = yield rendered
  return marks.captured(String(html), false)
}

/** `capture` as in Liquid, except that captured markup is not escaped again. */
class SafeCapture extends Tag {
  readonly #name: string
  readonly #templates: Template[] = []

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid)
    this.#name = this.tokenizer.readIdentifier().content || (this.tokenizer.readQuoted()?.content ?? '')
    if (this.#name === '') throw new Error('capture needs the name of a variable')
    for (;;) {
      const next = rest.shift()
      if (next === undefined) throw new Error(`tag ${token.getText()} not closed`)
      if ((next as TagToken).name === 'endcapture') return
      this.#templates.push(parser.parseToken(next, rest))
    }
  }

  *render(context: Context, _emitter: Emitter): Generator<unknown, void, never> {
    const html: unknown = yield this.liquid.renderer.renderTemplates(this.#templates, context)
    const { marks, limited } = (context as ThemeContext).rendering
    const isLimited = this.token.file !== undefined && limited.includes(this.token.file)
    ;(context.bottom() as Record<string, unknown>)[this.#name] = marks.captured(String(html), isLimited)
  }
}

/** Sentences for errors whose original wording only programmers understand. */
const worded: readonly (readonly [RegExp, string])[] = [
  [/^template render limit exceeded/, `the template takes longer than ${limits.secondMs} ms to render`],
  [/^memory alloc limit exceeded/, 'the template needs too much memory to render'],
  [/^parse length limit exceeded/, `the templates are longer than ${limits.parsed} characters`],
  [/^Maximum call stack size exceeded/, 'the template renders itself, or is nested too deeply'],
  [/^Invalid string length/, 'the page is too long'],
  [/^ENOENT.*?"([^"]*)".*/s, 'the theme has no file $1.liquid'],
]

/** The names of the templates by their texts. A variable in a template knows the text that it is in, but not the file. */
type FilesByText = ReadonlyMap<string, string>

/** The place and the reason of an error. @param file the template that was asked for, for errors that have no place */
function problemOf(error: unknown, file: string, files: FilesByText): ThemeProblem {
  if (!(error instanceof Error)) return { file, line: null, message: String(error) }
  const place = LiquidError.is(error) ? error.token : undefined
  const reason = (LiquidError.is(error) ? error.originalError : undefined) ?? error
  const bare = reason.message.replace(/, file:.*$/s, '').replace(/, line:\d+, col:\d+$/, '')
  const [form, sentence] = worded.find(([pattern]) => pattern.test(bare)) ?? []
  return {
    file: place?.file ?? (place && files.get(place.input)) ?? file,
    line: place ? (place.getPosition()[0] ?? null) : null,
    message: form && sentence ? bare.replace(form, sentence) : bare,
  }
}
