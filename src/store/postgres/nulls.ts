// Which columns may be null. In an order, PostgreSQL puts nulls last and SQLite puts them first, so these columns are ordered, and indexed, with nulls
// first. The others are left alone, because an order with `nulls first` can't use the index of a primary key. A test compares this with the schema.

/** By table. */
const nullable: Readonly<Record<string, readonly string[]>> = {
  account: ['password_hash', 'slug', 'bio', 'picture', 'second_factor_at', 'second_factor_ended_by'],
  token: ['expires_at', 'revoked_at'],
  app_grant: ['revoked_at'],
  auth_code: ['used_at', 'grant_id'],
  refresh_token: ['used_at'],
  session: ['ended_at', 'address', 'agent'],
  passkey: ['used_at'],
  recovery_code: ['used_at'],
  one_time_link: ['used_at'],
  entry: [
    'path',
    'excerpt',
    'published_at',
    'unpublish_at',
    'author_id',
    'parent_id',
    'locale',
    'translation_of',
    'cover',
    'live_revision',
  ],
  entry_pending: ['account_id'],
  entry_revision: ['account_id', 'staged'],
  entry_folded: ['path', 'excerpt'],
  entry_value: ['text_value', 'number_value'],
  activity: ['account_id', 'token_id', 'token_name', 'objects', 'about', 'undone_by'],
  activity_object: ['revision', 'path'],
  media: ['width', 'height', 'alt', 'caption', 'focus', 'placeholder', 'deleted_at'],
  media_picture: ['problem'],
  preview: ['owner', 'maker', 'account_id', 'by_name', 'token_name', 'entry_id', 'theme', 'title', 'revision'],
  upload_link: ['used_at', 'owner'],
  consent_answer: ['owner'],
  plugin: ['signer', 'reason'],
  proposal: ['note', 'account_id', 'token_id', 'token_name', 'owner', 'key', 'decided_by', 'decided_at', 'answer'],
  job: [
    'name',
    'arguments',
    'account_id',
    'token_id',
    'owner',
    'key',
    'progress',
    'result',
    'error',
    'runner',
    'lease_until',
    'next_at',
    'started_at',
    'finished_at',
  ],
  backup: ['note', 'verified_at', 'error', 'node'],
  backup_schedule: ['next_at'],
  taxonomy: ['types'],
  term: ['parent_id'],
  menu: ['location'],
  redirect: ['target', 'note'],
  missing_path: ['referrer'],
  recent_change: ['changed_rows'],
  theme_revision: ['account_id'],
}

const anywhere = new Set(Object.values(nullable).flat())

/** Whether a column may be null. @param table if it is unknown, whether a column of this name may be null in any table */
export const isNullable = (column: string, table?: string): boolean =>
  table === undefined ? anywhere.has(column) : (nullable[table]?.includes(column) ?? false)
