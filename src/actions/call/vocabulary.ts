// The words in which people and other systems name what Postern has: "post" for an entry, "remove" for delete, "navigation" for a
// menu. The search over actions and documents, and the suggestions for a wrong name, read them here.

/** The words for each class, besides its own name. */
const classWords: Readonly<Record<string, string>> = {
  SVC_API: 'action tool capability everything begin start batch several once transaction openapi swagger',
  SVC_Docs: 'document documentation manual help guide howto explain',
  SVC_Content: 'entry post page article blog story news node record publication draft',
  SVC_Types: 'type posttype contenttype model schema collection field structure',
  SVC_Terms: 'category tag taxonomy topic label',
  SVC_Menus: 'navigation nav navbar',
  SVC_Redirects: 'redirection rewrite alias forward 301 302 404',
  SVC_Media: 'file image picture photo attachment asset video audio sound pdf gallery',
  SVC_Search: 'lookup everywhere',
  SVC_Stats: 'statistic analytic count report number metric traffic view referrer campaign crawler bot audience',
  SVC_Themes: 'template design layout style css stylesheet color colour font appearance look skin header footer liquid',
  SVC_Settings: 'option config configuration preference title tagline timezone language logo icon favicon homepage slogan',
  SVC_Site:
    'look see show screenshot picture visitor render appearance outline file rootfile verification verify ads security wellknown google bing',
  SVC_Skills: 'instruction prompt guideline rule',
  SVC_Accounts: 'user person people member author profile login password',
  SVC_Tokens: 'key apikey credential secret bearer pat',
  SVC_Apps: 'connection connector grant oauth client integration',
  SVC_Plugins: 'extension addon module package integration',
  SVC_Activity: 'history audit change event undo redo',
  SVC_Proposals: 'approval review suggestion request pending',
  SVC_Backup: 'snapshot export dump archive',
  SVC_Jobs: 'task queue cron background',
  SVC_Health: 'status diagnostic doctor cache system server monitor problem',
  SVC_Logs: 'error warning exception debug',
}

/** The names of actions for a verb of other systems, the likeliest first. */
const verbs: Readonly<Record<string, string>> = {
  abort: 'cancel',
  accept: 'approve',
  add: 'add create upload install',
  address: 'move',
  all: 'list',
  append: 'edit add',
  apply: 'activate update',
  archive: 'unpublish delete',
  assign: 'update update-many',
  browse: 'list',
  bulk: 'update-many batch put-many',
  change: 'update edit configure',
  changed: 'digest list',
  clean: 'clear-caches purge',
  clear: 'clear-caches purge',
  clone: 'duplicate create',
  colour: 'configure edit',
  color: 'configure edit',
  compare: 'diff',
  configure: 'configure update',
  copy: 'duplicate create',
  count: 'site list',
  create: 'create upload add install put',
  css: 'edit write configure',
  customise: 'configure',
  customize: 'configure',
  decline: 'reject',
  del: 'delete remove',
  delete: 'delete remove revoke',
  deny: 'reject',
  describe: 'get describe-action',
  destroy: 'purge delete',
  disable: 'deactivate update',
  discard: 'discard',
  download: 'read get',
  drop: 'delete',
  edit: 'edit update',
  empty: 'purge',
  enable: 'activate update',
  erase: 'purge delete',
  execute: 'batch',
  export: 'get create read',
  fetch: 'get read list',
  find: 'list query get search',
  flush: 'clear-caches',
  generate: 'create',
  get: 'get list read',
  getall: 'list',
  happened: 'digest list',
  help: 'list-actions search list',
  hide: 'unpublish',
  history: 'revisions list',
  import: 'put upload create put-many install begin-upload',
  index: 'list reindex',
  insert: 'create add upload',
  install: 'install create',
  invite: 'create',
  join: 'merge',
  list: 'list query',
  load: 'get read',
  lookup: 'get query resolve',
  make: 'create',
  modify: 'update edit',
  new: 'create upload add',
  open: 'get read',
  order: 'move update',
  patch: 'edit update',
  post: 'create',
  purge: 'purge clear-caches delete',
  put: 'put update write upload',
  query: 'list query',
  read: 'get read',
  recover: 'restore reset',
  recent: 'digest list',
  redo: 'undo',
  regenerate: 'rotate reindex',
  remove: 'delete remove revoke',
  rename: 'update move',
  reorder: 'move update',
  replace: 'replace-all replace update',
  reset: 'reset revert',
  retrieve: 'get read',
  revert: 'revert undo',
  review: 'get diff',
  revoke: 'revoke end-preview',
  rollback: 'revert undo restore',
  run: 'batch',
  save: 'update put write create',
  schedule: 'publish schedule',
  search: 'query search list similar',
  set: 'update put configure',
  several: 'batch update-many put-many',
  share: 'preview',
  slug: 'move',
  show: 'get',
  sort: 'move',
  store: 'create upload put',
  summary: 'digest site',
  switch: 'activate',
  test: 'check verify preview',
  translate: 'create',
  trash: 'delete',
  undelete: 'restore',
  uninstall: 'delete',
  unschedule: 'unpublish',
  untrash: 'restore',
  update: 'update configure edit put',
  upload: 'upload begin-upload uploads',
  upsert: 'put save-taxonomy update',
  url: 'move',
  use: 'activate',
  validate: 'check',
  versions: 'revisions',
  view: 'get',
  withdraw: 'unpublish',
  write: 'put write update',
}

/** Words that say nothing about what is sought. */
const idle = new Set(
  [
    'a an the of to in on for with from by at as and or my our your this that it is are be can could do does',
    'how what where which who i we you me us please want need api svc wp cms site website one some any',
  ].flatMap((words) => words.split(' ')),
)

/** Returns a word without its ending, so that "categories" and "category" are the same. */
export function stemOf(word: string): string {
  if (word === 'menus') return 'menu'
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && /(?:x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1)
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3)
  return word
}

/** Returns the words of a text or of a name such as `updatePost`, in lower case and without endings. */
export function wordsOf(text: string): readonly string[] {
  const apart = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return (apart.match(/[\p{L}\p{N}]+/gu) ?? []).map(stemOf)
}

/** Returns the words of a query that say something; all words if none does. */
export function tellingWords(text: string): readonly string[] {
  const words = [...new Set(wordsOf(text))]
  const telling = words.filter((word) => !idle.has(word))
  return telling.length > 0 ? telling : words
}

/** Returns the name of a class without its prefix: `content` for `SVC_Content`. */
export const bareClass = (name: string): string => name.slice(name.indexOf('_') + 1).toLowerCase()

const stemsOf = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(stemOf))
const wordsByClass: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(classWords).map(([name, words]) => [name, stemsOf(words)]),
)
const namesByVerb: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(verbs).map(([verb, names]) => [stemOf(verb), names.split(' ')]),
)

/** Rates a word as the name of a class: 2 for its own name, 1 for another word for it, 0 if it names something else. */
export function classMatch(word: string, className: string): 0 | 1 | 2 {
  if (stemOf(bareClass(className)) === word) return 2
  return wordsByClass.get(className)?.has(word) === true ? 1 : 0
}

/** Rates a verb as the name of an action: 1 for its own name, less for each likelier one, 0 for another action. */
export function verbMatch(word: string, action: string): number {
  if (stemOf(action) === word) return 1
  const place = namesByVerb.get(word)?.indexOf(action) ?? -1
  if (place >= 0) return 0.9 - place / 10
  return wordsOf(action).includes(word) ? 0.6 : 0
}

/** Returns the classes that a name such as `posts`, `Content` or `svc_media` means. An exact name means itself alone. */
export function classesNamed(name: string, classes: readonly string[]): readonly string[] {
  if (classes.includes(name)) return [name]
  const word = stemOf(bareClass(name))
  const best = (match: number) => classes.filter((one) => classMatch(word, one) === match)
  const own = best(2)
  return own.length > 0 ? own : best(1)
}

/** Returns the words of Postern for a word of other systems: the names of its classes and actions. */
export function relatedWords(word: string): readonly string[] {
  const classes = [...wordsByClass].filter(([, words]) => words.has(word)).map(([name]) => stemOf(bareClass(name)))
  return [...new Set([...classes, ...(namesByVerb.get(word) ?? [])])].filter((one) => one !== word)
}
