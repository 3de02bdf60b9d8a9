// The names of the settings on their page, and the part of the page for each. The help in the table of settings is for programs.

import type { SettingKey } from '../../settings/definitions.ts'
import type { MessageKey } from '../words.ts'

/** The parts of the page, in order. */
export const settingParts = {
  site: 'operations.part_site',
  languages: 'operations.part_languages',
  reading: 'operations.part_reading',
  writing: 'operations.part_writing',
  media: 'operations.part_media',
  assistants: 'operations.part_assistants',
  security: 'operations.part_security',
} as const satisfies Readonly<Record<string, MessageKey>>

export type SettingPart = keyof typeof settingParts

interface SettingWords {
  readonly part: SettingPart
  readonly label: MessageKey
  readonly help: MessageKey
  /** The values to choose from, if there are few. */
  readonly choices?: readonly { readonly value: string; readonly label: MessageKey }[]
}

export const settingWords: Readonly<Record<SettingKey, SettingWords>> = {
  site_title: { part: 'site', label: 'operations.site_title', help: 'operations.site_title_help' },
  site_tagline: { part: 'site', label: 'operations.site_tagline', help: 'operations.site_tagline_help' },
  language: { part: 'languages', label: 'operations.language', help: 'operations.language_help' },
  languages: { part: 'languages', label: 'operations.languages', help: 'operations.languages_help' },
  time_zone: { part: 'site', label: 'operations.time_zone', help: 'operations.time_zone_help' },
  logo: { part: 'site', label: 'operations.logo', help: 'operations.logo_help' },
  home: { part: 'reading', label: 'operations.home', help: 'operations.home_help' },
  posts_page: { part: 'reading', label: 'operations.posts_page', help: 'operations.posts_page_help' },
  posts_per_page: { part: 'reading', label: 'operations.posts_per_page', help: 'operations.posts_per_page_help' },
  stage_edits: {
    part: 'writing',
    label: 'operations.stage_edits',
    help: 'operations.stage_edits_help',
    choices: [
      { value: 'false', label: 'operations.stage_edits_off' },
      { value: 'true', label: 'operations.stage_edits_on' },
    ],
  },
  image_format: {
    part: 'media',
    label: 'operations.image_format',
    help: 'operations.image_format_help',
    choices: [
      { value: 'webp', label: 'operations.image_format_webp' },
      { value: 'avif', label: 'operations.image_format_avif' },
    ],
  },
  max_file_mib: { part: 'media', label: 'operations.max_file_mib', help: 'operations.max_file_mib_help' },
  instructions: { part: 'assistants', label: 'operations.instructions', help: 'operations.instructions_help' },
  cache_seconds: { part: 'reading', label: 'operations.cache_seconds', help: 'operations.cache_seconds_help' },
  allowed_sources: { part: 'security', label: 'operations.allowed_sources', help: 'operations.allowed_sources_help' },
  mcp_origins: { part: 'security', label: 'operations.mcp_origins', help: 'operations.mcp_origins_help' },
}
