// The patterns of each language whose code blocks are coloured: a row per language. `code-colours.ts` applies the rows. A pattern
// that begins to match must not fail later, so that hostile blocks take linear time: an unclosed string ends with the block.

/** The colours; each is a class `code-…` in the site's style sheet. */
export const codeColours = ['keyword', 'string', 'number', 'comment', 'name', 'meta', 'added', 'removed'] as const
export type CodeColour = (typeof codeColours)[number]

/** The parts of a language. */
export interface CodeLanguage {
  /** The names of the language after a fence. */
  readonly names: readonly string[]
  /** The rules, tried in this order at each place. Each pattern is sticky. */
  readonly rules: readonly (readonly [colour: CodeColour, pattern: RegExp])[]
  /** The keywords, and the words for values such as `true`. */
  readonly keywords: ReadonlySet<string>
  readonly values: ReadonlySet<string>
  /** True if keywords may be in any letter case. */
  readonly anyCase?: true
  /** True if a word before a parenthesis is a function's name. */
  readonly calls?: true
}

interface LanguageRow extends Omit<CodeLanguage, 'keywords' | 'values'> {
  readonly keywords?: string
  readonly values?: string
}

type Rule = CodeLanguage['rules'][number]

const slashes: Rule = ['comment', /\/\/[^\n]*/y]
const stars: Rule = ['comment', /\/\*[^]*?(?:\*\/|$)/y]
const hash: Rule = ['comment', /#[^\n]*/y]
const dashes: Rule = ['comment', /--[^\n]*/y]
const double: Rule = ['string', /"(?:[^"\\\n]|\\[^])*"?/y]
const single: Rule = ['string', /'(?:[^'\\\n]|\\[^])*'?/y]
const backticks: Rule = ['string', /`(?:[^`\\]|\\[^])*`?/y]
const triple: Rule = ['string', /"""[^]*?(?:"""|$)/y]
const tripleSingle: Rule = ['string', /'''[^]*?(?:'''|$)/y]
const number: Rule = ['number', /0[xXbBoO][\da-fA-F_]+n?|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?[a-zA-Z%]{0,3}/y]
const character: Rule = ['string', /'(?:[^'\\\n]|\\[^])'/y]
const decorator: Rule = ['meta', /@[A-Za-z_][\w.]*/y]
const directive: Rule = ['meta', /#[ \t]{0,8}[a-z][^\n]*/y]
const variable: Rule = ['name', /\$(?:\{[^}\n]*\}?|\w+)/y]

const cStyle: readonly Rule[] = [slashes, stars, double, single, number]
const constants = 'true false null'

const markup: readonly Rule[] = [
  ['comment', /<!--[^]*?(?:-->|$)/y],
  ['meta', /<![^>]*>?|<\?[^>]*>?/y],
  ['keyword', /<\/?[A-Za-z][\w:.-]*|\/?>/y],
  ['name', /[A-Za-z_:@][\w:.-]{0,60}(?==)/y],
  ['string', /"[^"<>]*"?/y],
  ['meta', /&#?\w{1,30};?|\{[{%][^}\n]*\}?\}?/y],
]

const rows: readonly LanguageRow[] = [
  {
    names: ['javascript', 'js', 'mjs', 'cjs', 'jsx', 'typescript', 'ts', 'mts', 'tsx'],
    rules: [slashes, stars, double, single, backticks, decorator, number],
    keywords:
      'abstract any as asserts async await bigint boolean break case catch class const continue debugger declare default delete do else enum export extends finally for from function get if implements import in infer instanceof interface is keyof let namespace never new number object of override private protected public readonly return satisfies set static string super switch symbol this throw try type typeof unknown using var void while with yield',
    values: `${constants} undefined NaN Infinity`,
    calls: true,
  },
  {
    names: ['json', 'jsonc', 'json5'],
    rules: [slashes, stars, ['name', /"[^"\\\n]{0,200}"(?=[ \t]{0,8}:)/y], double, single, number],
    values: constants,
  },
  { names: ['html', 'xml', 'svg', 'vue', 'svelte', 'liquid', 'xhtml', 'rss', 'atom'], rules: markup },
  {
    names: ['css', 'scss', 'less'],
    rules: [
      stars,
      ['comment', /(?<![:\w])\/\/[^\n]*/y],
      double,
      single,
      ['meta', /@[\w-]+|!important/y],
      ['name', /--[\w-]+|[a-z-]{1,40}(?=[ \t]{0,4}:)|\$[\w-]+/y],
      ['number', /#[\da-fA-F]{3,8}\b|-?\d+(?:\.\d+)?(?:[a-z]{1,4}|%)?/y],
      ['keyword', /[.#&][A-Za-z_][\w-]*/y],
    ],
    calls: true,
  },
  {
    names: ['bash', 'sh', 'shell', 'zsh', 'console', 'shell-session'],
    rules: [
      ['comment', /(?<=^|[\s;])#[^\n]*/my],
      ['meta', /^\$(?= )/my],
      double,
      ['string', /'[^'\n]*'?/y],
      variable,
      ['name', /(?<=\s)--?[A-Za-z][\w-]*/y],
    ],
    keywords:
      'alias case cd do done echo elif else esac eval exec exit export fi for function if in local read return set shift source sudo test then trap unset until while',
  },
  {
    names: ['powershell', 'ps1', 'pwsh'],
    rules: [['comment', /<#[^]*?(?:#>|$)/y], hash, double, ['string', /'[^'\n]*'?/y], variable, number],
    keywords:
      'begin break catch class continue do else elseif end exit finally for foreach function if in param process return switch throw try until while',
    anyCase: true,
  },
  {
    names: ['python', 'py'],
    rules: [hash, triple, tripleSingle, double, single, decorator, number],
    keywords:
      'and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield',
    values: 'True False None',
    calls: true,
  },
  {
    names: ['ruby', 'rb'],
    rules: [hash, double, single, ['name', /(?<![:\w]):[A-Za-z_]\w*|@{1,2}\w+|\$\w+/y], number],
    keywords:
      'alias and begin break case class def do else elsif end ensure extend for if in include module next not or redo rescue retry return self super then undef unless until when while yield require',
    values: 'true false nil',
    calls: true,
  },
  {
    names: ['php'],
    rules: [['meta', /<\?(?:php|=)?|\?>|#\[/y], slashes, stars, hash, double, single, ['name', /\$\w+/y], number],
    keywords:
      'abstract array as break case catch class clone const continue declare default do echo else elseif enum extends final finally fn for foreach function global if implements include instanceof interface match namespace new print private protected public readonly require return static switch throw trait try use var while yield',
    values: constants,
    anyCase: true,
    calls: true,
  },
  {
    names: ['java', 'kotlin', 'kt', 'scala', 'groovy', 'dart'],
    rules: [slashes, stars, triple, double, single, decorator, number],
    keywords:
      'abstract as assert boolean break byte case catch char class companion const continue data def default do double else enum extends final finally float for fun get if implements import in init instanceof int interface internal is late lazy lateinit long match native new object of open operator override package private protected public record required return sealed set short static super suspend switch synchronized this throw throws trait try type val var void volatile when while with yield',
    values: constants,
    calls: true,
  },
  {
    names: ['c', 'h', 'cpp', 'c++', 'cc', 'hpp', 'objc', 'objective-c', 'arduino'],
    rules: [directive, ...cStyle],
    keywords:
      'alignas auto bool break case catch char class const constexpr consteval continue decltype default delete do double else enum explicit extern final float for friend goto if inline int long mutable namespace new noexcept operator override private protected public register requires return short signed sizeof static static_cast struct switch template this throw try typedef typename union unsigned using virtual void volatile while',
    values: 'true false NULL nullptr nil',
    calls: true,
  },
  {
    names: ['csharp', 'cs', 'c#'],
    rules: [directive, ['string', /[$@]{1,2}"(?:[^"\\]|\\[^])*"?/y], ...cStyle],
    keywords:
      'abstract as async await base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit extern finally fixed float for foreach get goto if implicit in int interface internal is lock long namespace new object operator out override params private protected public readonly record ref required return sealed set short sizeof static string struct switch this throw try typeof uint ulong using var virtual void volatile when where while yield',
    values: constants,
    calls: true,
  },
  {
    names: ['go', 'golang'],
    rules: [...cStyle, ['string', /`[^`]*`?/y]],
    keywords:
      'any bool break byte case chan const continue default defer else error fallthrough float64 for func go goto if import int int64 interface map package range return rune select string struct switch type uint var',
    values: 'true false nil iota',
    calls: true,
  },
  {
    names: ['rust', 'rs'],
    rules: [slashes, stars, double, character, ['meta', /#!?\[[^\]\n]*\]?|'[a-z_]\w*/y], number],
    keywords:
      'as async await bool box break char const continue crate dyn else enum extern f32 f64 fn for i32 i64 if impl in let loop match mod move mut pub ref return self Self static str struct super trait type u8 u32 u64 union unsafe use usize where while',
    values: 'true false None Some Ok Err',
    calls: true,
  },
  {
    names: ['swift'],
    rules: [slashes, stars, triple, double, decorator, number],
    keywords:
      'actor any as associatedtype async await break case catch class continue default defer deinit do else enum extension fallthrough fileprivate final for func get guard if import in indirect init inout internal is lazy let mutating nonisolated open operator override private protocol public repeat required return self Self set some static struct subscript super switch throw throws try typealias var weak where while',
    values: 'true false nil',
    calls: true,
  },
  {
    names: ['sql', 'sqlite', 'mysql', 'postgresql', 'postgres', 'plsql'],
    rules: [dashes, stars, ['string', /'[^']*'?/y], ['name', /"[^"\n]*"?|`[^`\n]*`?/y], number],
    keywords:
      'add all alter and as asc avg begin between bigint blob by case cast check column commit constraint count create cross database default delete desc distinct drop else end except exists explain foreign from full function group having if in index inner insert int integer intersect into is join key left like limit max min not numeric of offset on or order outer partition primary real references returning right rollback row select set sum table text then timestamp transaction trigger union unique update using values varchar view when where window with',
    values: constants,
    anyCase: true,
    calls: true,
  },
  {
    names: ['yaml', 'yml'],
    rules: [
      ['comment', /(?<=^|\s)#[^\n]*/my],
      ['name', /(?<=^[ \t]{0,40}(?:- {1,4})?)[\w."'/][\w./ "'-]{0,80}(?=:(?:\s|$))/my],
      double,
      ['string', /'[^'\n]*'?/y],
      ['meta', /[&*!][\w.-]+|^(?:---|\.\.\.)$/my],
      ['number', /(?<=[\s[,:])-?\d+(?:\.\d+)?(?=[\s,\]]|$)/my],
    ],
    values: 'true false null yes no on off',
  },
  {
    names: ['toml', 'ini', 'conf', 'cfg', 'properties', 'env', 'dotenv', 'systemd'],
    rules: [
      ['comment', /(?<=^|\s)[#;][^\n]*/my],
      ['keyword', /^\[{1,2}[^\]\n]*\]{0,2}/my],
      ['name', /^[\w.-]{1,80}(?=[ \t]{0,20}[=:])/my],
      triple,
      double,
      ['string', /'[^'\n]*'?/y],
      number,
    ],
    values: 'true false',
  },
  {
    names: ['nginx', 'apache', 'caddy', 'caddyfile', 'htaccess'],
    rules: [hash, double, single, variable, ['keyword', /(?<=^[ \t]{0,40})<?\/?[A-Za-z_]\w*/my], ['number', /(?<=\s)\d+[a-z]?/y]],
  },
  {
    names: ['dockerfile', 'docker'],
    rules: [hash, double, single, variable, ['keyword', /^[A-Z]{2,12}(?=\s)/my], ['name', /(?<=\s)--[\w-]+/y]],
  },
  {
    names: ['makefile', 'make'],
    rules: [
      hash,
      ['name', /^[\w./%-]{1,80}(?=[ \t]{0,8}:)|\$\([^)\n]*\)?|\$[@<^*]/my],
      ['keyword', /^(?:include|ifeq|ifdef|ifndef|else|endif|define|endef|export)\b/my],
    ],
  },
  {
    names: ['diff', 'patch'],
    rules: [
      ['meta', /^(?:@@|diff |index |--- |\+\+\+ )[^\n]*/my],
      ['added', /^\+[^\n]*/my],
      ['removed', /^-[^\n]*/my],
    ],
  },
  {
    names: ['markdown', 'md'],
    rules: [
      ['keyword', /^#{1,6} [^\n]*/my],
      ['comment', /^>[^\n]*/my],
      ['meta', /^(?:[-*+]|\d{1,9}[.)]) |^(?:```|~~~|---)[^\n]*/my],
      ['string', /`[^`\n]*`?/y],
      ['name', /!?\[[^\]\n]{0,200}\](?:\([^)\n]{0,300}\)|\[[^\]\n]{0,100}\])?/y],
    ],
  },
  {
    names: ['lua'],
    rules: [['comment', /--\[\[[^]*?(?:\]\]|$)/y], dashes, ['string', /\[\[[^]*?(?:\]\]|$)/y], double, single, number],
    keywords: 'and break do else elseif end for function goto if in local not or repeat return then until while',
    values: 'true false nil',
    calls: true,
  },
  {
    names: ['perl', 'pl', 'r', 'julia', 'elixir', 'ex'],
    rules: [hash, triple, double, single, ['name', /[$@%][A-Za-z_]\w*/y], number],
    keywords:
      'alias and begin break case catch cond continue def defmodule defp do else elsif end eval export finally fn for foreach function if import in last library local macro module my next not or our package print repeat require return struct sub then try unless until use using when where while',
    values: 'true false nil undef TRUE FALSE NULL NA Inf NaN nothing',
    calls: true,
  },
  {
    names: ['graphql', 'gql'],
    rules: [hash, triple, double, decorator, ['name', /\$\w+|[A-Za-z_]\w{0,60}(?=[ \t]{0,4}:)/y], number],
    keywords: 'directive enum extend fragment implements input interface mutation on query scalar schema subscription type union',
    values: constants,
  },
]

const wordsOf = (list: string | undefined): ReadonlySet<string> => new Set(list?.split(' '))

export const codeLanguages: readonly CodeLanguage[] = rows.map(({ keywords, values, ...language }) => ({
  ...language,
  keywords: wordsOf(keywords),
  values: wordsOf(values),
}))
