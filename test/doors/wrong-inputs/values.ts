// Values in other forms: fields of other systems, addresses, words of an enumeration, dates, and what is missing or too much.

import { calling, mcp, type WrongInput } from './wrong-input.ts'

type Fields = Readonly<Record<string, unknown>>

const create = (fields: Fields) => mcp('SVC_Content.create', { type: 'page', title: 'With wrong fields', ...fields })
const get = (id: unknown) => mcp('SVC_Content.get', { id })
const about = /"path":"\/about"/

/** Fields that other systems have: the answer names the right one. */
const fields: readonly (readonly [field: string, value: unknown, meant: RegExp])[] = [
  ['content', 'Text', /mean \\"body/],
  ['name', 'A name', /mean \\"title/],
  ['tags', ['news'], /mean \\"terms/],
  ['categories', ['news'], /mean \\"terms/],
  ['featured_image', '/media/harbour.png', /mean \\"cover/],
  ['date', '2027-03-05', /mean \\"published_at/],
  ['state', 'published', /mean \\"status/],
  ['meta_description', 'About us', /is in `seo`/],
  ['parent_id', '/about', /mean \\"parent/],
  ['publish', true, /Published is a status/],
]

/** Ways to say which page: that page, or a sentence that says what an id is. */
const ids: readonly (readonly [what: string, id: unknown, ...says: RegExp[]])[] = [
  ['a full address of the site', 'SITE/about', /path/],
  ['a path in capitals', '/About', /"\/about\\?"/],
  ['a path with a slash at its end', '/about/', /"\/about\\?"/],
  ['a path without its slash', 'about', /"\/about\\?"/],
  ['a path with .html', '/about.html', /"\/about\\?"/],
  ['a path with a fragment', '/about#team', /"\/about\\?"/],
  ['a title', 'About', /"\/about\\?"/],
  ['an address of another host', 'https://elsewhere.example/about', /this site|another|host/],
  ['a misspelt path', '/abuot', /"\/about\\?"/],
]

/** A page by these ids, and things of other classes by the names that people have for them. */
const things: readonly WrongInput[] = [
  ...ids.map(([what, id, ...says]) => ({ what: `a page by ${what}`, send: get(id), says, taken: about })),
  {
    what: 'a file by its name',
    send: mcp('SVC_Media.get', { id: 'harbour.png' }),
    says: [/\/media\/harbour\.png/],
    taken: /"path":"\/media\/harbour\.png"/,
  },
  {
    what: 'a file by its full address',
    send: mcp('SVC_Media.get', { id: 'SITE/media/harbour.png' }),
    says: [/path/],
    taken: /"path":"\/media\/harbour\.png"/,
  },
  {
    what: 'a term by its name alone',
    send: mcp('SVC_Content.create', { type: 'post', title: 'By a name', terms: ['News'] }),
    says: [/category\/news/],
    taken: /"title":"By a name"/,
  },
  { what: 'a type by its plural', send: mcp('SVC_Content.list', { type: 'concerts' }), says: [/concert\b/], taken: /"items"/ },
  { what: 'a menu by its name', send: mcp('SVC_Menus.get', { id: 'Main Menu' }), says: [/"main\\?"/], taken: /"slug":"main"/ },
  {
    what: 'a theme by its name',
    send: mcp('SVC_Themes.get', { id: 'Default' }),
    says: [/"default\\?"/],
    taken: /"slug":"default"/,
  },
]

/** Words that are none of the enumeration: the answer names those that there are, or the word is understood. */
const words: readonly WrongInput[] = [
  { what: 'status: publish', send: create({ status: 'publish' }), says: [/mean \\"published/], taken: /"status":"published"/ },
  { what: 'status: pending', send: create({ status: 'pending' }), says: [/mean \\"draft/, /published/] },
  { what: 'type: article', send: create({ type: 'article' }), says: [/page/, /mean \\"post/] },
  { what: 'type: Page', send: create({ type: 'Page' }), says: [/mean \\"page/], taken: /"type":"page"/ },
  { what: 'format: md', send: mcp('SVC_Content.get', { id: '/about', format: 'md' }), says: [/mean \\"markdown/], taken: about },
  {
    what: 'role: editor',
    send: mcp('SVC_Accounts.create', { email: 'e@example.org', name: 'E', role: 'editor' }),
    says: [/contributor/, /mean \\"content/, /admin/],
  },
  {
    what: 'scope: write',
    send: mcp('SVC_Tokens.create', { name: 'W', scope: 'write' }),
    says: [/read/, /mean \\"content/, /admin/],
  },
  {
    what: 'a field of kind string',
    send: mcp('SVC_Types.create', { slug: 'recipe', name: 'Recipe', fields: [{ name: 'time', kind: 'string' }] }),
    says: [/text/, /number/],
    taken: /"slug":"recipe"/,
  },
  {
    what: 'a location that the theme has not',
    send: mcp('SVC_Menus.create', { slug: 'top', name: 'Top', location: 'header' }),
    says: [/main/, /footer/],
    taken: /no_such_location.*main, footer/,
  },
  {
    what: 'a redirect with a status as text',
    send: mcp('SVC_Redirects.create', { from: '/a-1', to: '/about', status: '302' }),
    says: [/302/],
    taken: /"status":302/,
  },
  {
    what: 'a setting that there is none',
    send: mcp('SVC_Settings.update', { set: { site_name: 'Mine' } }),
    says: [/site_title/],
  },
  {
    what: 'a colour by a name of no colour',
    send: mcp('SVC_Themes.configure', { id: 'default', settings: { accent: 'brownish' } }),
    says: [/accent/, /#/],
  },
]

const at = (published_at: unknown) => create({ title: 'At a time', status: 'published', published_at })

/** Dates in other forms: one reading is taken, and a sentence says which form is right. */
const dates: readonly WrongInput[] = [
  { what: 'a date with points', send: at('05.03.2027'), says: [/published_at/, /2\d{3}-\d\d-\d\d|YYYY/] },
  { what: 'a date in words', send: at('March 5, 2027'), says: [/published_at/, /2\d{3}-\d\d-\d\d|YYYY/] },
  { what: 'tomorrow', send: at('tomorrow'), says: [/published_at/, /2\d{3}-\d\d-\d\d|YYYY/] },
  { what: 'seconds since 1970', send: at(1804244400), says: [/published_at/, /2\d{3}-\d\d-\d\d|YYYY/] },
  { what: 'a day that there is none', send: at('2027-02-30'), says: [/published_at/, /2027-02-30|no such|day|exist/] },
  {
    what: 'a date with a blank for its T',
    send: at('2027-03-05 10:00'),
    says: [/published_at/, /T/],
    taken: /"published_at":"2027-03-05T10:00/,
  },
]

/** What is missing, too much, or too long, and lists as other systems ask for them. */
const amounts: readonly WrongInput[] = [
  { what: 'an entry without a type', send: mcp('SVC_Content.create', { title: 'No type' }), says: [/type/, /page/, /post/] },
  {
    what: 'an entry without a title',
    send: mcp('SVC_Content.create', { type: 'page', body: 'Text' }),
    says: [/title/, /missing/],
  },
  { what: 'a title of 301 characters', send: create({ title: 'a'.repeat(301) }), says: [/title/, /300/] },
  { what: 'a slug with blanks', send: create({ slug: 'Our Team 2' }), says: [/slug/], taken: /"slug":"our-team-2"/ },
  { what: 'a limit of 1000', send: mcp('SVC_Content.list', { limit: 1000 }), says: [/limit/, /100/], taken: /"items"/ },
  { what: 'a number of a page', send: mcp('SVC_Content.list', { page: 2 }), says: [/page/, /cursor/] },
  {
    what: 'a sort as in SQL',
    send: mcp('SVC_Content.list', { sort: 'published_at desc' }),
    says: [/-published_at/],
    taken: /"items"/,
  },
  {
    what: 'a filter beside where',
    send: mcp('SVC_Content.list', { status: 'draft' }),
    says: [/status/, /Conditions are in `where`/],
    taken: /"items"/,
  },
  {
    what: 'an operator of another database',
    send: mcp('SVC_Content.list', { where: { title: { $regex: 'A' } } }),
    says: [/\$regex/, /has/],
  },
  {
    what: 'a filter by a field that there is none',
    send: mcp('SVC_Content.list', { where: { headline: 'A' } }),
    says: [/headline/, /title/],
  },
  {
    what: 'a setting without `set`',
    send: mcp('SVC_Settings.update', { site_title: 'Mine' }),
    says: [/site_title/, /What is set is in `set`/],
    taken: /"changed":\["site_title"\]/,
  },
  {
    what: 'a redirect with old and new',
    send: mcp('SVC_Redirects.create', { source: '/a', target: '/about' }),
    says: [/source|target/, /mean \\"from/, /to\b/],
  },
  {
    what: 'a picture without alt, by an address of no file',
    send: mcp('SVC_Media.upload', { filename: 'a.png' }),
    says: [/base64/, /url/],
  },
  {
    what: 'a data address in place of base64',
    send: mcp('SVC_Media.upload', { filename: 'b.txt', base64: 'data:text/plain;base64,SGVsbG8=' }),
    says: [/base64/, /data address/],
    taken: /"filename":"b\.txt"/,
  },
  { what: 'a purge without its count', send: mcp('SVC_Content.purge', { ids: ['/about'] }), says: [/expect/, /number/] },
  {
    what: 'an edit whose text is not there',
    send: mcp('SVC_Content.edit', { id: '/about', edits: [{ find: 'No such words', replace: '' }] }),
    says: [/No such words|find/, /0|not|nowhere/],
  },
  {
    what: 'an edit by `old` and `new`',
    send: mcp('SVC_Content.edit', { id: '/about', edits: [{ old: 'We', new: 'They' }] }),
    says: [/old/, /find/],
  },
  {
    what: 'a wrong revision',
    send: calling({ action: 'SVC_Content.update', arguments: { id: '/about', excerpt: 'x' }, if_revision: 400 }),
    says: [/no revision 400 yet/, /at revision 1\b/],
  },
]

export const wrongValues: readonly WrongInput[] = [
  ...fields.map(([field, value, meant]) => ({
    what: `a field ${field}`,
    send: create({ [field]: value }),
    says: [new RegExp(field), meant],
  })),
  ...things,
  ...words,
  ...dates,
  ...amounts,
]
