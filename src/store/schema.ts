// The tables as Kysely types. Times are UTC milliseconds, JSON stands in text columns, truth is 0 or 1: what SQLite and PostgreSQL share.

/** A person who may sign in. `role` caps every token of theirs; `epoch` counts up to end sessions and grants. */
export interface AccountRow {
  id: string
  email: string
  name: string
  role: string
  password_hash: string | null
  disabled: number
  epoch: number
  created_at: number
  updated_at: number
  revision: number
}

/** A personal token: the SHA-256 of its secret, never the secret. */
export interface TokenRow {
  id: string
  account_id: string
  hash: string
  name: string
  scope: string
  limits: string
  expires_at: number | null
  revoked_at: number | null
  created_at: number
  updated_at: number
  revision: number
}

/** An app that an account let in: a Connected App. `client_hash` is of the whole client id; `name` is what the owner calls it. */
export interface AppGrantRow {
  id: string
  account_id: string
  client_hash: string
  client: string
  name: string
  host: string
  scope: string
  limits: string
  /** The account's when it was made: another one now, and the grant has ended. */
  epoch: number
  expires_at: number
  revoked_at: number | null
  created_at: number
  updated_at: number
  revision: number
}

/** A code on its way to the client, and what it was issued for. Kept after its use, so that a second one is noticed. */
export interface AuthCodeRow {
  hash: string
  account_id: string
  client_hash: string
  redirect_uri: string
  code_challenge: string
  scope: string
  /** JSON. */
  limits: string
  epoch: number
  expires_at: number
  used_at: number | null
  /** What it was exchanged for. */
  grant_id: string | null
}

/** The hash of an access token. */
export interface AccessTokenRow {
  hash: string
  grant_id: string
  scope: string
  expires_at: number
}

/** The hash of a refresh token; its successor is derived from the token itself. */
export interface RefreshTokenRow {
  hash: string
  grant_id: string
  used_at: number | null
}

/** A person signed in on one browser. It ends by itself when it isn't seen, and at once with `ended_at` or another epoch of the account. */
export interface SessionRow {
  id: string
  account_id: string
  epoch: number
  created_at: number
  seen_at: number
  /** When the password was last given. */
  authenticated_at: number
  ended_at: number | null
}

/** Failed sign-ins of one bucket in its window of time. */
export interface SignInAttemptRow {
  bucket: string
  count: number
  ends_at: number
}

/** The hash of a link by which an account sets its password, once. */
export interface OneTimeLinkRow {
  hash: string
  account_id: string
  /** The account's when it was made: another one now, and the link is void. */
  epoch: number
  expires_at: number
  used_at: number | null
}

/** A consent page that was answered: its transaction is good for no second answer. */
export interface ConsentAnswerRow {
  id: string
  expires_at: number
}

/** When a token or a grant was last used; apart from it, as a use is no change of it. */
export interface TokenUseRow {
  token_id: string
  used_at: number
}

/** A setting that differs from its default. */
export interface SettingRow {
  key: string
  value: string
  created_at: number
  updated_at: number
  revision: number
}

/** An entry as it stands. `path` is null in the trash; unique otherwise. Each column has a row in `content/fields.ts`, or nothing compiles. */
export interface EntryRow {
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
  locale: string | null
  created_at: number
  updated_at: number
  revision: number
}

/** An entry as it was after each write; `snapshot` is its whole row. */
export interface EntryRevisionRow {
  entry_id: string
  revision: number
  snapshot: string
  account_id: string | null
  by_name: string
  door: string
  action: string
  at: number
}

/** An entry's names with their letters folded, in which `has` looks; of the entry's `revision`, else it is out of date. */
export interface EntryFoldedRow {
  entry_id: string
  revision: number
  title: string
  slug: string
  path: string | null
  excerpt: string | null
  /** Characters of the body. */
  body_length: number
}

/** An entry's body with its letters folded; in a table apart, so that the names can be read without it. */
export interface EntryFoldedBodyRow {
  entry_id: string
  body: string
}

/** A path that an entry had once, which leads to it still. */
export interface FormerPathRow {
  path: string
  entry_id: string
  created_at: number
}

/** A write that happened: who, through what, and each row before and after. */
export interface ActivityRow {
  id: string
  at: number
  account_id: string | null
  token_id: string | null
  by_name: string
  token_name: string | null
  door: string
  address: string
  call: string
  /** Every action that ran in it, as JSON: of a batch those of its calls, of an undo those it undid. */
  runs: string
  /** The highest tier among them: who may see this record, and undo it. */
  tier: string
  effect: string
  summary: string
  input: string
  changes: string
  undone_by: string | null
}

/** Which objects an activity touched, to find it by them. `revision` is the object's after it, null where it has none. */
export interface ActivityObjectRow {
  activity_id: string
  kind: string
  object_id: string
  revision: number | null
}

/** A write's answer, kept a day for the caller who sent the key (never a secret in it). */
export interface IdempotencyRow {
  owner: string
  key: string
  input_hash: string
  answer: string
  at: number
}

/** Counts up with every change of an area, so that each process knows when its caches are old. */
export interface VersionRow {
  area: string
  counter: number
}

/** A plugin that was installed, or a bundled one that was ever touched. */
export interface PluginRow {
  id: string
  version: string
  /** Names the folder of its files: the start of their hash; empty where it is bundled. */
  package: string
  /** `plugin.json` as JSON. */
  manifest: string
  /** Fingerprint of the key that signed the package. */
  signer: string | null
  /** `active`, `inactive` or `quarantined`; of the last `reason` says why. */
  state: string
  reason: string | null
  /** The rights that the owner confirmed, as JSON. */
  may: string
  settings: string
  /** The settings that are never shown. */
  secrets: string
  /** What it registered when it was activated, as JSON. */
  registered: string
  created_at: number
  updated_at: number
  revision: number
}

/** Work that outlasts a call, or that is done again and again. At most one process runs it: the one that holds the lease. */
export interface JobRow {
  id: string
  /** Names recurring work (`backup`, `plugin useful 0`); null for a call that somebody made. */
  name: string | null
  /** `SVC_Backup.create`, or what a plugin's job is called. */
  call: string
  /** Input and options of the call as JSON; null where it held a secret, and for recurring work. */
  arguments: string | null
  account_id: string | null
  token_id: string | null
  by_name: string
  /** The idempotency key that came with the call, and whose it is. */
  owner: string | null
  key: string | null
  state: string
  /** `{done, total, note}` as JSON. */
  progress: string | null
  result: string | null
  /** The failure as every door shows it, as JSON. */
  error: string | null
  attempts: number
  /** 1 once somebody asked for its end. */
  cancel: number
  /** The process that runs it, and until when it is taken to be alive. */
  runner: string | null
  lease_until: number | null
  /** When recurring work is due next. */
  next_at: number | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

/** An instruction of the owner's to assistants; a file of the same name in `user-content/skills/` mirrors it. */
export interface SkillRow {
  slug: string
  when: string
  text: string
  created_at: number
  updated_at: number
  revision: number
}

/** A backup that was made here. Rows are of this machine, not of the site: a restore leaves them as they are. */
export interface BackupRow {
  id: string
  /** Its name in the folder of backups. */
  file: string
  created_at: number
  bytes: number
  /** Of the whole file, in hex. */
  sha256: string
  note: string | null
  /** Release that made it, and the last migration of its database. */
  version: string
  schema: string
  /** When it was last restored in a scratch place and found good; null while it never was. */
  verified_at: number | null
  /** What was wrong with it when it was looked at last; null where nothing was. */
  error: string | null
}

/** How often backups are made, and how many are kept; one row, none before it was first set. */
export interface BackupScheduleRow {
  name: string
  every: string
  daily: number
  weekly: number
  monthly: number
  /** For the release before jobs, should the site go back to it: when the next backup was due when the schedule was set. */
  next_at: number | null
}

/** What is true of the site as a whole: `key_fingerprint`. */
export interface SiteFactRow {
  name: string
  value: string
}

export interface Schema {
  account: AccountRow
  token: TokenRow
  app_grant: AppGrantRow
  auth_code: AuthCodeRow
  access_token: AccessTokenRow
  refresh_token: RefreshTokenRow
  token_use: TokenUseRow
  session: SessionRow
  sign_in_attempt: SignInAttemptRow
  one_time_link: OneTimeLinkRow
  consent_answer: ConsentAnswerRow
  setting: SettingRow
  entry: EntryRow
  entry_revision: EntryRevisionRow
  entry_folded: EntryFoldedRow
  entry_folded_body: EntryFoldedBodyRow
  former_path: FormerPathRow
  activity: ActivityRow
  activity_object: ActivityObjectRow
  idempotency: IdempotencyRow
  version: VersionRow
  plugin: PluginRow
  job: JobRow
  skill: SkillRow
  backup: BackupRow
  backup_schedule: BackupScheduleRow
  site_fact: SiteFactRow
}
