// The relay in the answers of SVC_Mail. The password is never shown.

import { type Static, Type } from 'typebox'
import { securities, type Security } from '../../mail/relay.ts'
import { formatDate, formatDateOrNull } from '../../settings/time-zone.ts'
import type { MailRelayRow } from '../../store/core/schema.ts'
import { nullable } from '../call/write-answer.ts'

export const relayItem = Type.Object({
  host: Type.String(),
  port: Type.Integer(),
  security: Type.Enum([...securities]),
  user: nullable(Type.String()),
  password: Type.Boolean({ description: 'Whether a password is stored.' }),
  from: Type.String(),
  from_name: Type.String(),
  site_url: nullable(Type.String(), 'The address of the site for links in mails, where the program has none.'),
  per_minute: Type.Integer(),
  dkim_selector: nullable(Type.String()),
  verified_at: nullable(Type.String(), 'The last time at which the relay took user and password. With null, nothing is sent.'),
  error: nullable(Type.String(), 'The reason why the relay is not verified.'),
  updated_at: Type.String(),
})

export function toRelayItem(row: MailRelayRow): Static<typeof relayItem> {
  return {
    host: row.host,
    port: row.port,
    security: row.security as Security,
    user: row.user_name,
    password: row.secret !== null,
    from: row.from_address,
    from_name: row.from_name,
    site_url: row.site_url,
    per_minute: row.per_minute,
    dkim_selector: row.dkim_selector,
    verified_at: formatDateOrNull(row.verified_at),
    error: row.error,
    updated_at: formatDate(row.updated_at),
  }
}
