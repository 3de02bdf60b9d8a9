// The messages to the thread that renders themes, and its answers.

import type { ThemeData } from '../contract.ts'
import type { MessageTables } from './theme-words.ts'

/** The part of a theme that the thread needs. `version` changes with every change of the theme. */
export interface ThemeSource {
  readonly version: string
  /** Templates by path, such as `partials/head.liquid`. */
  readonly templates: Readonly<Record<string, string>>
  /** The templates whose writer had limits. */
  readonly limited: readonly string[]
  /** The addresses of assets below the site's, by their path below `assets/`. */
  readonly assets: Readonly<Record<string, string>>
  readonly messages: MessageTables
}

/** A page to render. `source` is sent after the thread has answered that it lacks this version. */
export interface ThemeJob {
  readonly version: string
  readonly source?: ThemeSource | undefined
  readonly template: string
  readonly data: ThemeData
}

/** A problem of a theme, with its place. */
export interface ThemeProblem {
  /** The file's path in the theme; null if no file is to blame. */
  readonly file: string | null
  /** The number of the line, from 1. */
  readonly line: number | null
  readonly message: string
}

export type JobAnswer = { readonly html: string } | { readonly problems: readonly ThemeProblem[] } | { readonly unknown: true }
