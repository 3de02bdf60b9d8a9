// The site's own words for visitors, from the messages that ship with Postern.

import { shippedMessages } from './shipped.ts'
import { translated } from './engine/theme-words.ts'

/** The messages that the site uses in the data of a page, and on pages without a theme. */
export const siteMessages = [
  'all_pages',
  'all_posts',
  'busy',
  'busy_title',
  'closed_title',
  'closed_until',
  'comment_bad_email',
  'comment_closed',
  'comment_long',
  'comment_long_name',
  'comment_no_name',
  'comment_none',
  'comment_wait',
  'comments',
  'failed',
  'failed_title',
  'forbidden',
  'forbidden_title',
  'form_again',
  'form_choice',
  'form_choose',
  'form_closed',
  'form_date',
  'form_email',
  'form_leave_empty',
  'form_long',
  'form_number',
  'form_optional',
  'form_problem',
  'form_required',
  'form_send',
  'form_thanks',
  'form_url',
  'form_wait',
  'gone',
  'gone_title',
  'link_expired',
  'link_expired_title',
  'locked',
  'locked_label',
  'locked_open',
  'locked_wait',
  'locked_wrong',
  'more',
  'no',
  'not_found',
  'not_found_title',
  'not_shown_title',
  'preview_older',
  'search',
  'theme_gone',
  'theme_gone_title',
  'to_home',
  'too_many',
  'too_many_title',
  'yes',
] as const
export type SiteMessage = (typeof siteMessages)[number]

const none: ReadonlyMap<string, string> = new Map()

export const siteWord = (language: string, key: SiteMessage, values = none): string =>
  translated([shippedMessages()], language, key, values)
