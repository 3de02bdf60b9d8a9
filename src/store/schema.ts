// The tables as Kysely types. Times are UTC milliseconds, JSON is stored as text, and booleans are 0 or 1, so that the tables suit both SQLite
// and PostgreSQL.

/** An account. `role` caps the scope of its tokens. Raising `epoch` ends all its sessions and grants. */
export interface AccountRow {
  id: string
  email: string
  name: string
  role: string
  password_hash: string | null
  disabled: number
  epoch: number
  /** 1 if signing in takes a second step. It is written with the rows of `totp` and `passkey`, in one transaction. */
  second_factor: number
  /** When the second factors last changed, and who ended them for the owner, if somebody did. */
  second_factor_at: number | null
  second_factor_ended_by: string | null
  created_at: number
  updated_at: number
  revision: number
}

/** A personal token. `hash` is the SHA-256 of its secret; the secret is not stored. */
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

/** A grant: an app that an account connected. `client_hash` is the hash of the whole client id. `name` is the name that the owner gave the app. */
export interface AppGrantRow {
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
  created_at: number
  updated_at: number
  revision: number
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
  /** The grant that the code was exchanged for. */
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

/** A person signed in on one browser. A session ends after a time without requests, when `ended_at` is set, or when the account's epoch changes. */
export interface SessionRow {
  id: string
  account_id: string
  epoch: number
  created_at: number
  seen_at: number
  /** When the person last proved who they are. */
  authenticated_at: number
  ended_at: number | null
  /** The network address and the browser at the sign-in; null in rows of earlier releases. */
  address: string | null
  agent: string | null
}

/** The authenticator app of an account. `secret` is sealed with the site's key. `last_step` is the last time step whose code was used. */
export interface TotpRow {
  account_id: string
  secret: string
  last_step: number
  created_at: number
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

/** The hash of a recovery code, which stands in for a second factor once. */
export interface RecoveryCodeRow {
  hash: string
  account_id: string
  used_at: number | null
}

/** A challenge for a passkey that was answered. It can't be answered again. */
export interface SpentChallengeRow {
  id: string
  expires_at: number
}

/** The number of failed sign-ins of one bucket (an account, an address or a browser), until `ends_at`. */
export interface SignInAttemptRow {
  bucket: string
  count: number
  ends_at: number
}

/** The hash of a link with which the password of an account can be set once. */
export interface OneTimeLinkRow {
  hash: string
  account_id: string
  /** The account's epoch when the link was made. The link is invalid once the account's epoch changes. */
  epoch: number
  expires_at: number
  used_at: number | null
}

/** A consent page that was answered. It can't be answered again. */
export interface ConsentAnswerRow {
  id: string
  expires_at: number
}

/** When a token or a grant was last used. This is a table of its own, because a use doesn't change the token. */
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

/** An entry. `path` is null in the trash, and unique otherwise. The code doesn't compile unless each column has a row in `content/fields.ts`. */
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

/** An entry as it was after one of its writes. `snapshot` is the whole row as JSON. */
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

/** The folded names of an entry, in which `has` looks. The row is out of date if its `revision` is not the entry's. */
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

/** An entry whose text changed since it was last put into the search index (`search-index.ts`). The entry may be gone. */
export interface EntrySearchDueRow {
  entry_id: string
}

/** An earlier path of an entry, which still leads to it. */
export interface FormerPathRow {
  path: string
  entry_id: string
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
  door: string
  address: string
  call: string
  /** Every action that ran, as JSON. For a batch, these are the actions of its calls; for an undo, the actions that it undid. */
  runs: string
  /** The highest tier of these actions. It decides who may see this record, and undo it. */
  tier: string
  effect: string
  summary: string
  input: string
  changes: string
  undone_by: string | null
}

/** An object that a write changed, so that the write's record can be found. `revision` is the object's revision after the write, if it has one. */
export interface ActivityObjectRow {
  activity_id: string
  kind: string
  object_id: string
  revision: number | null
}

/** The answer to a write, without secrets. It is kept for a day for the caller who sent the idempotency key. */
export interface IdempotencyRow {
  owner: string
  key: string
  input_hash: string
  answer: string
  at: number
}

/** The counter of an area. Each change in the area raises it, so that other processes notice that their caches are stale. */
export interface VersionRow {
  area: string
  counter: number
}

/** The entries that a commit has changed. `counter` is that of the area `content` after the commit. */
export interface RecentChangeRow {
  counter: number
  /** A list of the ids with the paths that they had or have, as JSON. */
  entries: string
}

/** A plugin that was installed, or a bundled plugin that was changed at least once. */
export interface PluginRow {
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
  /** What the plugin registered when it was activated, as JSON. */
  registered: string
  created_at: number
  updated_at: number
  revision: number
}

/** Work that may outlast a call, or recurring work. Only the process that has the lease runs it. */
export interface JobRow {
  id: string
  /** Names recurring work (`backup`, `plugin useful 0`); null for a call that somebody made. */
  name: string | null
  /** The name of the action, such as `SVC_Backup.create`, or of the plugin's job. */
  call: string
  /** Input and options of the call as JSON; null if they contain a secret, and for recurring work. */
  arguments: string | null
  account_id: string | null
  token_id: string | null
  by_name: string
  /** The idempotency key of the call, and the caller that it belongs to. */
  owner: string | null
  key: string | null
  state: string
  /** `{done, total, note}` as JSON. */
  progress: string | null
  result: string | null
  /** The failure as JSON, in the form that every door shows. */
  error: string | null
  attempts: number
  /** 1 once somebody has cancelled the job. */
  cancel: number
  /** The process that runs the job, and the time until which the process is considered alive. */
  runner: string | null
  lease_until: number | null
  /** When recurring work is due next. */
  next_at: number | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

/** An instruction of the owner to assistants. A file of the same name in `user-content/skills/` mirrors it. */
export interface SkillRow {
  slug: string
  when: string
  text: string
  created_at: number
  updated_at: number
  revision: number
}

/** Calls that wait for an admin, or that one has decided on. */
export interface ProposalRow {
  id: string
  title: string
  /** What the proposer says about it. */
  note: string | null
  /** The calls as JSON, with their whole input. */
  calls: string
  /** The highest tier of their actions. It decides who may see the proposal. */
  tier: string
  /** The diff that the proposer was shown, as JSON. */
  diff: string
  /** The objects that the calls change, with the revision that each had, as JSON. */
  expects: string
  account_id: string | null
  token_id: string | null
  by_name: string
  token_name: string | null
  /** The idempotency key of the call, and the caller that it belongs to. */
  owner: string | null
  key: string | null
  /** `waiting`, `approved` or `rejected`. */
  state: string
  decided_by: string | null
  decided_at: number | null
  /** What the one who decided says about it. */
  answer: string | null
  created_at: number
  updated_at: number
  revision: number
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
  /** When the backup last passed its test; null if it never has. */
  verified_at: number | null
  /** The error that the last test found; null if it found none. */
  error: string | null
  /** The host name of the machine that has the file; null in rows of releases before several machines. */
  node: string | null
}

/** How often backups are made, and how many are kept. The table has one row, or none if the schedule was never set. */
export interface BackupScheduleRow {
  name: string
  every: string
  daily: number
  weekly: number
  monthly: number
  /** When the next backup was due at the time the schedule was set. Only the release before jobs reads this, after a downgrade. */
  next_at: number | null
}

/** A fact about the whole site, such as `key_fingerprint`. */
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
  totp: TotpRow
  passkey: PasskeyRow
  recovery_code: RecoveryCodeRow
  spent_challenge: SpentChallengeRow
  setting: SettingRow
  entry: EntryRow
  entry_revision: EntryRevisionRow
  entry_folded: EntryFoldedRow
  entry_folded_body: EntryFoldedBodyRow
  entry_search_due: EntrySearchDueRow
  former_path: FormerPathRow
  activity: ActivityRow
  activity_object: ActivityObjectRow
  idempotency: IdempotencyRow
  version: VersionRow
  recent_change: RecentChangeRow
  plugin: PluginRow
  job: JobRow
  skill: SkillRow
  proposal: ProposalRow
  backup: BackupRow
  backup_schedule: BackupScheduleRow
  site_fact: SiteFactRow
}
