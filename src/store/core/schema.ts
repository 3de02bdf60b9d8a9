// The tables as Kysely types. Times are UTC milliseconds, JSON is stored as text, and booleans are 0 or 1, so that the tables suit
// both SQLite and PostgreSQL.

/** The columns that each write of a row changes. */
interface Revisioned {
  created_at: number
  updated_at: number
  revision: number
}

/** An account. `role` caps the scope of its tokens. Raising `epoch` ends all its sessions and grants. */
export interface AccountRow extends Revisioned {
  id: string
  email: string
  name: string
  role: string
  password_hash: string | null
  disabled: number
  epoch: number
  /** 1 if the site shows the profile: name, slug, bio and picture. */
  public: number
  /** The last part of the address of the author's page. Unique. */
  slug: string | null
  bio: string | null
  /** Address of a picture. */
  picture: string | null
  /** 1 if signing in takes a second step. It is written with the rows of `totp` and `passkey`, in one transaction. */
  second_factor: number
  /** The last change of the second factors, and the account that ended them for the owner, if one did. */
  second_factor_at: number | null
  second_factor_ended_by: string | null
  /** 1 if Enter breaks the line in the editor of this person, 0 if it is a new line of Markdown. */
  enter_breaks: number
  /** The mails about proposals that wait: `at_once`, `hourly`, `daily` or `never`. */
  proposal_mails: string
}

/** A personal token. `hash` is the SHA-256 of its secret; the secret is not stored. */
export interface TokenRow extends Revisioned {
  id: string
  account_id: string
  hash: string
  name: string
  scope: string
  limits: string
  expires_at: number | null
  revoked_at: number | null
}

/**
 * A grant: an app that an account connected. `client_hash` is the hash of the whole client id. `name` is the name that the owner
 * gave the app.
 */
export interface AppGrantRow extends Revisioned {
  id: string
  account_id: string
  client_hash: string
  client: string
  name: string
  host: string
  scope: string
  limits: string
  /** The account's epoch when the grant was made. The grant ends when the account's epoch changes. */
  epoch: number
  expires_at: number
  revoked_at: number | null
}

/** An authorization code, and what it was issued for. The row stays after the code was used, so that a second use is noticed. */
export interface AuthCodeRow {
  hash: string
  account_id: string
  client_hash: string
  redirect_uri: string
  code_challenge: string
  scope: string
  /** The limits as JSON. */
  limits: string
  epoch: number
  expires_at: number
  used_at: number | null
  /** The grant that was issued for the code. */
  grant_id: string | null
}

/** The hash of a refresh token; its successor is derived from the token itself. */
export interface RefreshTokenRow {
  hash: string
  grant_id: string
  used_at: number | null
}

/**
 * A person signed in on one browser. A session ends after a time without requests, when `ended_at` is set, or when the account's
 * epoch changes.
 */
export interface SessionRow {
  id: string
  account_id: string
  epoch: number
  created_at: number
  seen_at: number
  /** The time at which the person last proved who they are. */
  authenticated_at: number
  ended_at: number | null
  /** The network address and the browser at the sign-in; null in rows of earlier releases. */
  address: string | null
  agent: string | null
}

/** A passkey of an account. `id` is the credential id, and `rp_id` the domain that the passkey was made for. */
export interface PasskeyRow {
  id: string
  account_id: string
  name: string
  rp_id: string
  /** COSE, as base64url. */
  public_key: string
  counter: number
  /** JSON. */
  transports: string
  created_at: number
  used_at: number | null
}

/** A setting that differs from its default. */
export interface SettingRow extends Revisioned {
  key: string
  value: string
}

/**
 * An entry. `path` is null in the trash, and unique otherwise. The compiler requires a row in `content/types/fields.ts` for each
 * column.
 */
export interface EntryRow extends Revisioned {
  id: string
  type: string
  title: string
  slug: string
  path: string | null
  body: string
  excerpt: string | null
  status: string
  published_at: number | null
  unpublish_at: number | null
  author_id: string | null
  parent_id: string | null
  position: number
  seo: string
  /** The ids of its terms, as a JSON list. */
  terms: string
  locale: string | null
  /** The group of translations. Null means the group that has the entry's own id (`content/languages/translations.ts`). */
  translation_of: string | null
  /** The values of the fields that the type defines, as JSON. */
  fields: string
  /** 1 if `entry_pending` has changes of this entry. */
  staged: number
  /** The live revision while `entry_pending` has changes. Null means that it is `revision`. */
  live_revision: number | null
  /** The id of the media file that is the cover image. */
  cover: string | null
  /** The scrypt hash of the password that visitors type to read the entry; null for an open entry. */
  password_hash: string | null
  /** The owner's choice about comments for this entry: `on`, `closed` or `off`; null follows its type. */
  comments: string | null
}

/** The staged changes of an entry: the changed columns only. `content/entries/pending.ts` says what `changes` contains. */
export interface EntryPendingRow {
  entry_id: string
  changes: string
  /** The account, app or token that staged the latest change, and the time. */
  account_id: string | null
  by_name: string
  at: number
}

/**
 * A link to a page that is not public. Its row is deleted when the link expires or somebody ends it. Rows of earlier releases have
 * no maker.
 */
export interface PreviewRow {
  id: string
  /**
   * Content that only the link shows, as JSON: the row of an entry, or the files and settings of a theme. Empty if the link shows a
   * revision of an entry.
   */
  entry: string
  bytes: number
  expires_at: number
  /** The caller who made the link; the number of links per caller is limited. */
  owner: string | null
  /** The maker as `identity/link-maker.ts` compares it, as JSON. */
  maker: string | null
  account_id: string | null
  by_name: string | null
  token_name: string | null
  entry_id: string | null
  /** The slug of the theme in which the link shows the whole site. */
  theme: string | null
  title: string | null
  /** The revision of the entry or the theme that the link shows. */
  revision: number | null
  /** 1 if the link shows the newest revision. */
  follow: number
  /** 1 for the preview beside the text in the editor, which is replaced with each edit. */
  live: number
  created_at: number
}

/** An object after one of its writes, and the write. */
interface RevisionRow {
  revision: number
  snapshot: string
  account_id: string | null
  by_name: string
  door: string
  action: string
  at: number
}

/** The folded names of an entry, which the operator `has` searches. The row is out of date if its `revision` is not the entry's. */
export interface EntryFoldedRow {
  entry_id: string
  revision: number
  title: string
  slug: string
  path: string | null
  excerpt: string | null
  /** Number of characters in the body. */
  body_length: number
}

/** The folded body of an entry. It is in a separate table, so that the names can be read without the bodies. */
export interface EntryFoldedBodyRow {
  entry_id: string
  body: string
}

/** A type of entries, as the owner has defined it. `page` and `post` have a row too. */
export interface EntryTypeRow extends Revisioned {
  slug: string
  name: string
  /** The pattern of the paths of its entries: `/{type}/{slug}`. */
  path: string
  /** The definitions of its fields, as JSON. */
  fields: string
  /** Fields that were removed less than 30 days ago, as JSON. Entries still have values in them. */
  dropped: string
  /** The slugs of its taxonomies, as JSON. */
  taxonomies: string
  feed: number
  /** The rules of its public lists (`list-rules.ts`), as JSON. */
  list: string
}

/** A short value of a field of an entry (`entry-values.ts`), in one of the two columns. */
export interface EntryValueRow {
  entry_id: string
  name: string
  text_value: string | null
  number_value: number | null
}

/** An earlier path of an entry. It redirects to the entry. */
export interface FormerPathRow {
  path: string
  entry_id: string
  created_at: number
}

/** An address of an imported thing on the site from which it came. `content/redirects/old-addresses.ts` describes the columns. */
export interface OldAddressRow {
  old: string
  kind: string
  site: string
  id: string
  target_kind: string
  target_id: string
  created_at: number
}

/** The record of a write: who made it, through which door and call, and each row before and after. */
export interface ActivityRow {
  id: string
  at: number
  account_id: string | null
  token_id: string | null
  by_name: string
  token_name: string | null
  /** The person who accepted the change, if account, token and name are those of its proposer. */
  accepted_by: string | null
  accepted_by_id: string | null
  door: string
  address: string
  call: string
  /** Every action that ran, as JSON. For a batch, these are the actions of its calls; for an undo, the actions that it undid. */
  runs: string
  /** The highest tier of these actions. It decides who may see the record and undo it. */
  tier: string
  effect: string
  summary: string
  input: string
  changes: string
  /** The first changed objects with their titles, kinds and paths, as JSON; null in records of earlier releases. */
  objects: string | null
  /** Titles and paths of these objects, for the argument `search`. */
  about: string | null
  undone_by: string | null
  /** The record of which this one is a part, such as that of an import; null for most records. */
  part_of: string | null
}

/** The answer to a write, without secrets. It is stored for a day for the caller who sent the idempotency key. */
export interface IdempotencyRow {
  owner: string
  key: string
  input_hash: string
  answer: string
  at: number
}

/** A plugin that was installed, or a bundled plugin that was changed at least once. */
export interface PluginRow extends Revisioned {
  id: string
  version: string
  /** The name of the folder with the plugin's files, which is the start of their hash. Empty for a bundled plugin. */
  package: string
  /** `plugin.json` as JSON. */
  manifest: string
  /** Fingerprint of the key that signed the package. */
  signer: string | null
  /** `active`, `inactive` or `quarantined`. For `quarantined`, `reason` says why. */
  state: string
  reason: string | null
  /** The rights that the owner confirmed, as JSON. */
  may: string
  settings: string
  /** The settings that are never shown. */
  secrets: string
  /** The names that the plugin registered when it was activated, as JSON. */
  registered: string
}

/** Work that may outlast a call, or recurring work. Only the process that has the lease runs it. */
export interface JobRow {
  id: string
  /** The name of recurring work (`backup`, `plugin useful 0`); null for a call. */
  name: string | null
  /** The name of the action (`SVC_Backup.create`) or of the plugin's job. */
  call: string
  /** Input and options of the call as JSON; null if they contain a secret, and for recurring work. */
  arguments: string | null
  account_id: string | null
  token_id: string | null
  by_name: string
  /** The idempotency key of the call, and the caller who sent it. */
  owner: string | null
  key: string | null
  state: string
  /** `{done, total, note}` as JSON. */
  progress: string | null
  result: string | null
  /** The failure as JSON, in the form that every door shows. */
  error: string | null
  attempts: number
  /** 1 if somebody has cancelled the job. */
  cancel: number
  /** The process that runs the job, and the time until which the process is considered alive. */
  runner: string | null
  lease_until: number | null
  /** The time at which recurring work is due next. */
  next_at: number | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

/** An instruction of the owner to assistants. A file of the same name in `user-content/skills/` mirrors it. */
export interface SkillRow extends Revisioned {
  slug: string
  when: string
  text: string
}

/** A form for visitors. */
export interface VisitorFormRow extends Revisioned {
  id: string
  slug: string
  name: string
  /** The fields as JSON. */
  fields: string
  /** Ids of accounts and addresses that get each submission, as JSON. */
  receivers: string
  /** The sentence after sending; `''` for the usual one. */
  thanks: string
  /** The path of a page that is shown instead. */
  thanks_page: string | null
  /** The fixed answer to the sender. */
  reply: string | null
  /** The words of a box that must be ticked. */
  consent: string | null
  keep_days: number
  /** 0 if the form takes nothing now. */
  open: number
}

/** A form that a visitor sent. */
export interface FormSubmissionRow {
  id: string
  form_id: string
  /** `new`, `done` or `spam`. */
  state: string
  /** The reason why it looks like spam. */
  reason: string | null
  /** The values by the names of their fields, as JSON. */
  contents: string
  email: string | null
  /** The path of the page that had the form. */
  path: string | null
  /** Of form and values: the same in a day counts as one. */
  digest: string
  created_at: number
  expires_at: number
  /** The facts about its files, as JSON. */
  files: string
  /** The bytes of all its files. */
  file_bytes: number
}

/** The relay through which the site sends mails. There is at most one row. */
export interface MailRelayRow {
  name: string
  host: string
  port: number
  /** `tls`, `starttls` or `none`. */
  security: string
  user_name: string | null
  /** The sealed password; null if a file has it, or if there is none. */
  secret: string | null
  from_address: string
  from_name: string
  /** The address of the site for links in mails, where the settings of the program have none. */
  site_url: string | null
  per_minute: number
  dkim_selector: string | null
  /** The last time at which the relay took user and password; null for a relay through which nothing is sent. */
  verified_at: number | null
  error: string | null
  updated_at: number
}

/** A mail that waits, was sent or failed. */
export interface MailRow {
  id: string
  kind: string
  recipient: string
  /** The account that the mail is for, if it is for one. */
  account_id: string | null
  reply_to: string | null
  subject: string
  /** The sealed text and HTML; null once the mail is sent. */
  body: string | null
  /** `waiting`, `sent` or `failed`. */
  state: string
  tries: number
  next_at: number | null
  /** The time after which the mail is of no use. */
  until: number | null
  created_at: number
  tried_at: number | null
  /** The last code of the relay, and its sentence. */
  code: number | null
  answer: string | null
  /** The newsletter that the mail is a copy of, and its subscriber. Such a mail has no body of its own. */
  newsletter_id: string | null
  subscriber_id: string | null
}

/** A person who asked for the newsletter. */
export interface SubscriberRow {
  id: string
  email: string
  name: string | null
  /** The language of the mails, BCP 47. */
  language: string
  /** `pending` until the address is confirmed, then `active`, and `ended` for good. */
  state: string
  /** The reason of the end: `unsubscribed` or `bounced`. */
  reason: string | null
  /** `form`, `admin` or `import`. */
  source: string
  /** The sentence that the person agreed to, or the words of the admin who added the address. */
  consent: string | null
  consent_at: number | null
  /** A keyed hash of the network address from which it was confirmed. */
  consent_from: string | null
  /** The refusals of the address in a row. */
  bounces: number
  created_at: number
  updated_at: number
}

/** An entry as it is sent to the subscribers. */
export interface NewsletterRow {
  id: string
  entry_id: string
  subject: string
  /** The language of its receivers; null for all but those in the languages of `excluded`, as JSON. */
  language: string | null
  excluded: string
  /** The address of the site in its links. */
  origin: string
  /** The mail, with a placeholder for the link that ends a subscription. */
  text: string
  html: string
  /** `sending`, `stopped` or `done`. */
  state: string
  /** The reason of a stop that nobody asked for. */
  error: string | null
  /** The id of the last subscriber who got it; `''` at the beginning. */
  cursor: string
  sent: number
  failed: number
  /** The refusals of the mail itself in a row. */
  refusals: number
  account_id: string | null
  created_at: number
  updated_at: number
}

/** Calls that wait for an admin, or that an admin has decided on. */
export interface ProposalRow extends Revisioned {
  id: string
  title: string
  /** The note of the proposer. */
  note: string | null
  /** The calls as JSON, with their whole input. */
  calls: string
  /** The highest tier of their actions. It decides who may see the proposal. */
  tier: string
  /** The diff that the proposer was shown, as JSON. */
  diff: string
  /** The objects that the calls change, with the revision that each had, as JSON. */
  expects: string
  /**
   * The changes of the calls in their trial run, as JSON (`actions/call/proposed-changes.ts`), and their digest. Null in rows of
   * earlier releases.
   */
  changes: string | null
  digest: string | null
  /** The tier and the limits of the proposer at that time, as JSON. Null in rows of earlier releases. */
  proposer: string | null
  /**
   * The objects that the calls change and make, and the calls as they came, as JSON (`actions/call/proposal-touches.ts`). Null in
   * rows of earlier releases.
   */
  touches: string | null
  account_id: string | null
  token_id: string | null
  by_name: string
  token_name: string | null
  /** Always null in new rows: the keys of proposed calls are in `idempotency`, as all keys are. */
  owner: string | null
  key: string | null
  /** The id of the proposal of which somebody made this one, with changes of their own. */
  replaces: string | null
  /** `waiting`, `approved`, `rejected` or `replaced`. */
  state: string
  decided_by: string | null
  decided_at: number | null
  /** The note of the person who decided. */
  answer: string | null
}

/** A backup that was made on this machine. The rows belong to the machine, not to the site: a restore leaves them as they are. */
export interface BackupRow {
  id: string
  /** File name in the folder of backups. */
  file: string
  created_at: number
  bytes: number
  /** Of the whole file, in hex. */
  sha256: string
  note: string | null
  /** The release that made the backup, and the last migration of its database. */
  version: string
  schema: string
  /** The time of the last test that the backup passed; null if it never has. */
  verified_at: number | null
  /** The error that the last test found; null if it found none. */
  error: string | null
  /** The host name of the machine that has the file; null in rows of releases before several machines. */
  node: string | null
}

/** The place elsewhere to which sealed backups are sent. Like backups, it belongs to the machine: no backup contains it. */
export interface BackupTargetRow {
  name: string
  /** `TargetSettings` as JSON. */
  settings: string
  /** The secret key or password, sealed with the site's key. */
  secret: string
  /** Which backups are sent, and how often a copy is checked (`backup/elsewhere/target-store.ts`). */
  every: string
  check_every: string
  /** The time at which the place was set. */
  since: number
  /** The time of the last attempt to send, that of the last success, and the error of the last attempt. */
  tried_at: number | null
  reached_at: number | null
  error: string | null
}

/** A backup that this site sent elsewhere. Pruning removes nothing else there. */
export interface BackupCopyRow {
  file: string
  created_at: number
  bytes: number
  sha256: string
  note: string | null
  /** The host name of the machine that sent it. */
  node: string
  /** Null while it is sent, and after a process that sent it was killed. */
  sent_at: number | null
  /** The time of the last check that it passed, and the error that the last check found. */
  verified_at: number | null
  error: string | null
}

/** An endpoint that gets events (`webhooks/`). */
export interface WebhookRow {
  id: string
  url: string
  /** The patterns of types, as a JSON list. */
  events: string
  /** An `EventFilter` as JSON; null for none. */
  filter: string | null
  /** `hmac` or `ed25519`. */
  signing: string
  /** The secret, sealed with the site's key, and the one before it, which signs too until `former_until`. */
  secret: string
  former_secret: string | null
  former_until: number | null
  /** `on` or `off`, and the reason why the sender turned it off. */
  state: string
  reason: string | null
  by_name: string
  created_at: number
  updated_at: number
}

/** The count of a value on a day (`statistics/`). The empty value joins the rare ones. */
export interface VisitCountRow {
  /** A day in the site's time zone, such as `2026-11-28`. */
  day: string
  /** One of `statistics/parts.ts`. */
  part: string
  value: string
  views: number
  visitors: number
}

/** The calls of a token to an action through a door on a day. The `ms_` columns count them by the time that they took. */
export interface CallCountRow {
  day: string
  /** The id of the token, or of the grant of an app; empty for a caller without one. */
  token: string
  /** `CLASS.ACTION`; empty for names that no action has. */
  action: string
  door: string
  /** The name of the token or app when it was last used on that day. */
  token_name: string
  calls: number
  errors: number
  ms_10: number
  ms_50: number
  ms_200: number
  ms_1000: number
  ms_5000: number
  ms_more: number
}

/** An event that is or was sent to an endpoint. */
export interface WebhookDeliveryRow {
  /** The `webhook-id`, the same for each try. */
  id: string
  webhook_id: string
  event: string
  body: string
  /** `waiting`, `sent` or `failed`. */
  state: string
  tries: number
  /** The time of the next try; null if there is none. */
  next_at: number | null
  created_at: number
  tried_at: number | null
  /** The status and the beginning of the last answer, or the error without one. */
  status: number | null
  answer: string | null
  error: string | null
}

/** A taxonomy. `category` and `tag` exist without a row (`content/terms/taxonomies.ts`). */
export interface TaxonomyRow extends Revisioned {
  slug: string
  name: string
  /** The types of entries that may have its terms, as a JSON list; null for all types. */
  types: string | null
  /** 1 if a term may have a parent. */
  tree: number
  /** 1 for a built-in taxonomy that was deleted. */
  deleted: number
}

/** A term of a taxonomy. `ref` is its name, `taxonomy/slug`. */
export interface TermRow extends Revisioned {
  id: string
  taxonomy: string
  slug: string
  ref: string
  name: string
  parent_id: string | null
  text: string
  seo: string
}

/** A menu. `items` is the tree as JSON. */
export interface MenuRow extends Revisioned {
  id: string
  slug: string
  name: string
  location: string | null
  items: string
}

/** A redirect. `source` is a path, or ends with `/*`. `target` is null if the answer is 410. */
export interface RedirectRow extends Revisioned {
  id: string
  source: string
  target: string | null
  status: number
  note: string | null
  origin: string
}

/** A small file of the owner at the top of the site. */
export interface SiteFileRow extends Revisioned {
  path: string
  text: string
}

/** The number of times that a redirect was followed. This is a table of its own, because a visit doesn't change the redirect. */
export interface RedirectHitRow {
  redirect_id: string
  hits: number
  last_hit: number
}

/** A media file. `file` is its path in `user-content/uploads/protected/.media/`, made from the hash of the content. */
export interface MediaRow extends Revisioned {
  id: string
  /** The public path below the base path: `/media/FOLDER/FILENAME`. It stays the same when the file is replaced. */
  path: string
  /** `''` for none. */
  folder: string
  filename: string
  /** Media type, from the content. */
  kind: string
  bytes: number
  /** The hash of the uploaded bytes. An SVG is cleaned before it is stored, so the stored bytes may have another hash. */
  sha256: string
  file: string
  /** The first part of the names of its public files. It changes with the content, the focus point and the recipe of images. */
  file_key: string
  width: number | null
  height: number | null
  /** Empty for a decorative image; null if nobody has written a text. */
  alt: string | null
  caption: string | null
  /** `{x, y}` as JSON. */
  focus: string | null
  /** A tiny image as a `data:` address. */
  placeholder: string | null
  /** 1 if the file has no public address. */
  protected: number
  /** 1 for an upload of a caller limited to drafts. The file is not public until a public entry uses it. */
  held: number
  /** The files that were replaced, as JSON. */
  earlier: string
  /** The time of the move to the trash. */
  deleted_at: number | null
}

/** The variants of an image, by the key of its files. They are derived from the file and can be made again at any time. */
export interface MediaPictureRow {
  file_key: string
  /** `{name, width, height, type, bytes}` of each variant as JSON, the narrowest first. */
  variants: string
  /** The reason why there are no variants. */
  problem: string | null
  made_at: number
}

/** A link for uploads, with the rights of the caller who asked for the link. */
export interface UploadLinkRow {
  id: string
  /** SHA-256 of the secret in the link. */
  hash: string
  /** The caller as JSON, without secrets. */
  caller: string
  /** The arguments for the files as JSON. */
  input: string
  /** The most bytes of all files together. */
  max_bytes: number
  /** The time until which the link takes files. */
  expires_at: number
  /** The time of the last file; null while the link takes more. */
  used_at: number | null
  /** The caller who asked for the link; null in rows of earlier releases. */
  owner: string | null
  max_files: number
  /** The files that the link has taken, and their bytes. */
  files: number
  bytes: number
  /** The stored files, as lines of JSON. */
  arrived: string
}

/** A theme that the owner created, or a shipped theme that was configured or activated. */
export interface ThemeRow extends Revisioned {
  slug: string
  /** 1 for the theme of the public site. If no row has 1, the shipped theme `default` is used. */
  active: number
  /** The values that differ from the defaults, as JSON. */
  settings: string
}

/** A file of a theme. `id` is the slug of the theme, a slash and the path. `text` is base64 for images and fonts. */
export interface ThemeFileRow extends Revisioned {
  id: string
  theme: string
  path: string
  text: string
  /**
   * A digest of the text if a writer without limits wrote it, empty for other writers, null for an unknown writer
   * (`themes/scripts.ts`).
   */
  vouched: string | null
}

/** A run of an import. */
export interface ImportRunRow {
  id: string
  /** The key of the old site; empty until it is read. */
  source: string
  format: string
  /** The name of the imported file or folder. */
  file: string
  /** Identifies the files and the options, so that an interrupted run is taken up by the same call. */
  fingerprint: string
  /** The arguments of the call as JSON; `file` is the id of the kept file. */
  options: string
  by_name: string
  /** `running`, `done`, `failed` or `cancelled`. */
  state: string
  phase: string
  /** The parts of the phase that are done. */
  done: number
  /** `{done, total, note}` as JSON. */
  progress: string
  /** JSON. */
  report: string
  /** The record of the whole import. */
  activity_id: string
  created_at: number
  updated_at: number
  finished_at: number | null
}

/** An object that belongs to an old site. `id` is a hash of source, kind and old id. */
export interface ImportItemRow {
  id: string
  source: string
  kind: string
  old_id: string
  object_id: string
  /** The digest of the columns that the import wrote last; null for an object that was here before. */
  digest: string | null
  /** The digest before that, to which an undo leads back. */
  earlier: string | null
  /** The addresses of the object on the old site, as JSON. */
  addresses: string
  run_id: string
}

/** A comment of an old site. Only admins read it. */
export interface ImportCommentRow {
  id: string
  source: string
  old_id: string
  /** The entry here; null if it was not imported. */
  entry_id: string | null
  /** The old id of the comment above. */
  parent_id: string | null
  name: string
  email: string | null
  website: string | null
  posted_at: number
  /** Cleaned HTML. */
  html: string
  approved: number
  run_id: string
}

/** A comment under an entry. */
export interface CommentRow extends Revisioned {
  id: string
  entry_id: string
  /** The comment that it answers. An answer has no answers of its own. */
  parent_id: string | null
  /** `approved`, `pending`, `spam` or `trash`. */
  state: string
  name: string
  /** Shown to admins only. */
  email: string | null
  website: string | null
  /** Plain text. */
  body: string
  /** The account that wrote it; null for visitors. */
  account_id: string | null
  /** `visitor`, `account`, `import`, or `webmention`. */
  source: string
  /** The time at which its writer used the link that was mailed to the address; null for all others. */
  confirmed_at: number | null
}

/** A webmention that came or is to be sent, once for each pair of addresses. */
export interface WebmentionRow {
  id: string
  /** `in` or `out`. */
  direction: string
  /** The entry of this site. */
  entry_id: string
  /** The address of the page that links. */
  source: string
  /** The address of the page that is linked to. */
  target: string
  /** `waiting`, `done`, `gone` or `failed`; of those that are sent also `none`, for a target that takes none. */
  state: string
  tries: number
  next_at: number | null
  created_at: number
  tried_at: number | null
  /** The status of the last answer of the other site. */
  status: number | null
  /** The reason of a failure. */
  note: string | null
  /** The live revision of the entry that was told; null for those that came. */
  revision: number | null
}

/** A member or subscriber of an old site. Only admins read it. */
export interface ImportMemberRow {
  id: string
  source: string
  old_id: string
  email: string
  name: string | null
  joined_at: number | null
  subscribed: number
  run_id: string
}

export interface Schema {
  import_run: ImportRunRow
  import_item: ImportItemRow
  import_comment: ImportCommentRow
  import_member: ImportMemberRow
  comment: CommentRow
  webmention: WebmentionRow
  account: AccountRow
  token: TokenRow
  app_grant: AppGrantRow
  auth_code: AuthCodeRow
  /** The hash of an access token. */
  access_token: { hash: string; grant_id: string; scope: string; expires_at: number }
  refresh_token: RefreshTokenRow
  /** The last use of a token or a grant. This is a table of its own, because a use doesn't change the token. */
  token_use: { token_id: string; used_at: number }
  session: SessionRow
  /** The number of failed sign-ins of one bucket (an account, an address or a browser), until `ends_at`. */
  sign_in_attempt: { bucket: string; count: number; ends_at: number }
  /** The hash of a link with which the password of an account can be set once. */
  one_time_link: {
    hash: string
    account_id: string
    /** The account's epoch when the link was made. The link is invalid once the account's epoch changes. */
    epoch: number
    expires_at: number
    used_at: number | null
  }
  /** A consent page that was answered. It can't be answered again. */
  consent_answer: {
    id: string
    expires_at: number
    /** The account that answered; null in rows of earlier releases. */
    owner: string | null
  }
  /**
   * The authenticator app of an account. `secret` is sealed with the site's key. `last_step` is the last time step whose code was
   * used.
   */
  totp: { account_id: string; secret: string; last_step: number; created_at: number }
  passkey: PasskeyRow
  /** The hash of a recovery code, which replaces a second factor once. */
  recovery_code: { hash: string; account_id: string; used_at: number | null }
  /** A challenge for a passkey that was answered. It can't be answered again. */
  spent_challenge: { id: string; expires_at: number }
  setting: SettingRow
  entry: EntryRow
  entry_pending: EntryPendingRow
  /** An entry after one of its writes. `snapshot` is the whole row as JSON. */
  entry_revision: RevisionRow & {
    entry_id: string
    /** 1 for a revision of staged changes: `snapshot` is the entry with these changes. */
    staged: number | null
  }
  entry_folded: EntryFoldedRow
  entry_folded_body: EntryFoldedBodyRow
  /** An entry whose text changed since it was last indexed (`search-index.ts`). The entry may be gone. */
  entry_search_due: { entry_id: string }
  /** Three letters of a word that occurs in entries (`search-terms.ts`). `size` is the number of letters of the word. */
  entry_search_term: { gram: string; size: number; term: string }
  entry_type: EntryTypeRow
  entry_value: EntryValueRow
  former_path: FormerPathRow
  old_address: OldAddressRow
  preview: PreviewRow
  media: MediaRow
  media_picture: MediaPictureRow
  /** An earlier path of a media file. It redirects to the file. */
  media_former: { path: string; media_id: string; created_at: number }
  /** A reference to a media file in an entry: a path below `/media/`, or an id. Written with the entry. */
  media_use: { entry_id: string; ref: string }
  upload_link: UploadLinkRow
  activity: ActivityRow
  /**
   * An object that a write changed, so that its records can be found. `revision` is the revision after the write, if the object has
   * one.
   */
  activity_object: {
    activity_id: string
    kind: string
    object_id: string
    revision: number | null
    /** The path that the object had after the write, or before it where the write removed the path. */
    path: string | null
  }
  idempotency: IdempotencyRow
  /** The counter of an area. Each change in the area raises it, so that other processes notice that their caches are stale. */
  version: { area: string; counter: number }
  /** The entries that a commit changed. `counter` is the counter of the area `content` after the commit. */
  recent_change: {
    counter: number
    /** The ids of the entries with their paths before and after, as a JSON list. */
    entries: string
    /** The changes of rows that pages read, as JSON (`changed-rows.ts`); null from a process of an earlier release. */
    changed_rows: string | null
  }
  plugin: PluginRow
  job: JobRow
  skill: SkillRow
  site_file: SiteFileRow
  proposal: ProposalRow
  backup: BackupRow
  backup_target: BackupTargetRow
  backup_copy: BackupCopyRow
  form: VisitorFormRow
  form_submission: FormSubmissionRow
  mail: MailRow
  mail_receiver: { address: string; confirmed_at: number }
  mail_relay: MailRelayRow
  subscriber: SubscriberRow
  newsletter: NewsletterRow
  webhook: WebhookRow
  webhook_delivery: WebhookDeliveryRow
  visit_count: VisitCountRow
  /** The salt of the ids of visitors, and its day. The table has at most one row. */
  visit_salt: { id: string; day: string; salt: string }
  /** The ids of today's visitors, and of the pages that they saw: hashes with the day's salt. */
  visitor_seen: { id: number }
  call_count: CallCountRow
  /** The interval of backups, and the number of backups to keep. The table has at most one row. */
  backup_schedule: {
    name: string
    every: string
    daily: number
    weekly: number
    monthly: number
    /** The due time of the next backup when the schedule was set. Only releases before jobs read it, after a downgrade. */
    next_at: number | null
  }
  theme: ThemeRow
  theme_file: ThemeFileRow
  /**
   * A revision of a theme file: `object_id` is the file's id, `snapshot` its row. Or one of a whole theme: `object_id` is the
   * theme's slug, and `snapshot` maps each path to the revision of its file.
   */
  theme_revision: RevisionRow & { object_id: string }
  /** A fact about the whole site, such as `key_fingerprint`. */
  site_fact: { name: string; value: string }
  taxonomy: TaxonomyRow
  term: TermRow
  /**
   * An entry with one of its terms, or with an ancestor of one. Status and date are copied from the entry, so that one index serves
   * the archive of a term.
   * The rows are derived from the column `terms` of the entry (`store/change/entry-terms.ts`).
   */
  entry_term: {
    entry_id: string
    term_id: string
    /** 1 if the entry has the term itself, 0 if it has a descendant of the term. */
    own: number
    status: string
    /** 0 if the entry has no date. */
    published_at: number
  }
  menu: MenuRow
  /** An item of a menu that leads to an entry or a term. The rows are derived from `items` (`store/change/menu-references.ts`). */
  menu_reference: { menu_id: string; item_id: string; kind: string; target_id: string }
  redirect: RedirectRow
  redirect_hit: RedirectHitRow
  /** A path that was requested and not found. */
  missing_path: { path: string; hits: number; last_hit: number; referrer: string | null }
}
