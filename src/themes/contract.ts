// Version 1 of the theme contract: the data that every template gets, and the members of `theme.json`. All data is plain JSON, so
// that it can be sent to the thread that renders themes. Every declared member has a value, which may be null: templates are
// rendered in strict mode, in which a missing member is an error.

import type { SocialLink } from './networks.ts'

/** Markup made by Postern. Templates print it unescaped; every other text is escaped. */
export interface ThemeMarkup {
  readonly markup: string
}

/** An image with its sizes. The filters `image_url`, `srcset` and `picture` read it. */
export interface ThemeImage {
  readonly url: string
  /** Empty for a decorative image. */
  readonly alt: string
  readonly caption: string | null
  readonly width: number
  readonly height: number
  /** The available sizes, the narrowest first. */
  readonly variants: readonly { readonly url: string; readonly width: number; readonly type: string }[]
  /** A tiny image as a `data:` address, which is shown while the image loads. */
  readonly placeholder: string | null
  /** The point that must stay visible when the image is cropped, from 0 to 1 in each direction. */
  readonly focus: { readonly x: number; readonly y: number } | null
}

export interface ThemeLink {
  readonly title: string
  readonly url: string
}

export interface ThemeMenuItem {
  readonly label: string
  readonly url: string
  /** True if it links to this page. */
  readonly current: boolean
  /** True if it links to this page or to a page above it. */
  readonly inside: boolean
  readonly new_tab: boolean
  readonly items: readonly ThemeMenuItem[]
}

export interface ThemeAuthor {
  readonly name: string
  /** The author's page; null if the author has none. */
  readonly url: string | null
  readonly bio: string | null
  readonly image: ThemeImage | null
}

export interface ThemeTerm {
  readonly taxonomy: string
  readonly slug: string
  readonly title: string
  readonly url: string
  readonly text: string | null
}

/** An entry in a list. Times are ISO 8601 in UTC; the filter `date` shows them in the site's language and time zone. */
export interface ThemeSummary {
  readonly type: string
  readonly title: string
  readonly url: string
  /** One paragraph without markup. */
  readonly excerpt: string
  readonly date: string | null
  readonly updated: string
  /** True if pages of this type show their date and author. */
  readonly dated: boolean
  readonly image: ThemeImage | null
  readonly author: ThemeAuthor | null
  readonly terms: readonly ThemeTerm[]
  readonly fields: Readonly<Record<string, unknown>>
  /** The fields with a value that cards show in place of the day of publication; null if its type names none. */
  readonly shown: readonly ThemeDetail[] | null
  readonly words: number
}

/** A field of an entry that has a value, for themes that show every field. */
export interface ThemeDetail {
  readonly name: string
  readonly label: string
  /** The kind of the field, such as `text`, `date` or `media`. */
  readonly kind: string
  /** At least one, in the form of `fields`. Each value of a `group` is a list of such details. */
  readonly values: readonly unknown[]
}

/** A comment under an entry. */
export interface ThemeComment {
  readonly id: string
  readonly name: string
  /** The website of its writer, which search engines should not follow; null if there is none. */
  readonly url: string | null
  readonly date: string
  /** True if somebody with an account wrote it. */
  readonly own: boolean
  readonly content: ThemeMarkup
  /** The answers to it. An answer has none. */
  readonly answers: readonly ThemeComment[]
}

/** The form for a comment. What a visitor typed is in it again if something was wrong with it. */
export interface ThemeCommentForm {
  /** The path to which it is sent, by POST, with `do=comment`. */
  readonly action: string
  /** True if writers who give an address may get a mail that asks for a confirmation. */
  readonly confirms: boolean
  /** True right after a comment was sent. */
  readonly sent: boolean
  readonly max_name: number
  readonly max_text: number
  /** The comment that the typed one answers; empty for none. */
  readonly reply_to: string
  readonly typed: { readonly name: string; readonly email: string; readonly text: string }
  /** Sentences about the fields, and about the whole form; null where all is well. */
  readonly faults: {
    readonly name: string | null
    readonly email: string | null
    readonly text: string | null
    readonly form: string | null
  }
}

/** The comments of an entry. */
export interface ThemeComments {
  readonly count: number
  /** The oldest first. */
  readonly items: readonly ThemeComment[]
  /** Null if the entry takes no further comments. */
  readonly form: ThemeCommentForm | null
}

/** An entry on its own page. */
export interface ThemeEntry extends ThemeSummary {
  /** The fields of the entry that have a value, in the order of its type; without those of the kind `json`. */
  readonly details: readonly ThemeDetail[]
  readonly content: ThemeMarkup
  /** True if the content begins with a section `hero`, which says what a heading would. */
  readonly opening: boolean
  /** True if the content has sections. The page may then be wider than a text. */
  readonly sections: boolean
  readonly toc: readonly { readonly id: string; readonly title: string; readonly level: number }[]
  /** The neighbours in the list of the type, by date or as the type is sorted; null for types without dates. */
  readonly previous: ThemeLink | null
  readonly next: ThemeLink | null
  readonly related: readonly ThemeSummary[]
  /** The entries right below it, in their order. */
  readonly children: readonly ThemeLink[]
  /** Null if comments are off for its type, in a preview, on the home page, and for an entry with a password. */
  readonly comments: ThemeComments | null
  /** Related, previous and next are empty in a preview. */
  readonly preview: boolean
}

export interface ThemePaging {
  readonly page: number
  readonly pages: number | null
  readonly newer: string | null
  readonly older: string | null
}

/** The kinds of pages. Each has a template of the same name; `fallbacks` lists the replacements for a missing template. */
export const pageKinds = ['home', 'page', 'article', 'list', 'archive', 'search', 'error'] as const
export type ThemePageKind = (typeof pageKinds)[number]

/** The templates to try for each kind of page, in this order. Every theme has `page` and `list`. */
export const fallbacks: Readonly<Record<ThemePageKind, readonly string[]>> = {
  home: ['home', 'list'],
  page: ['page'],
  article: ['article', 'page'],
  list: ['list'],
  archive: ['archive', 'list'],
  search: ['search', 'list'],
  error: ['error', 'page'],
}

/** The members of every page. Members that a kind of page does not use are null or empty. */
export interface ThemePage {
  readonly kind: ThemePageKind
  readonly title: string
  /** The entry's own title for search results and the tab of the browser; null if it is the same as the title. */
  readonly search_title: string | null
  /** The canonical address; null for pages that search engines should not index. */
  readonly url: string | null
  readonly description: string | null
  /** The content of `<head>` without title and style sheet: metadata, feeds, JSON-LD. */
  readonly head: ThemeMarkup
  /** The links from the home page to the page above this one; empty on the home page. */
  readonly crumbs: readonly ThemeLink[]
  readonly language: string
  /** The same page in other languages, this one included; empty if there is no translation. */
  readonly translations: readonly {
    readonly language: string
    readonly name: string
    readonly url: string
    readonly current: boolean
  }[]
  /** For `page` and `article`, and for `home` if an entry is the home page. */
  readonly entry: ThemeEntry | null
  /** For `home`, `list`, `archive` and `search`; for `home` the latest posts, even if an entry is the home page. */
  readonly entries: readonly ThemeSummary[]
  readonly paging: ThemePaging | null
  /** For `archive`: one of these three is set. The `text` of a period reads `2026` or `November 2026`. */
  readonly term: ThemeTerm | null
  readonly author: ThemeAuthor | null
  readonly period: { readonly text: string; readonly from: string } | null
  /** For `search`: the query, the results with the words marked, and another spelling if there is one. */
  readonly query: string | null
  readonly results: readonly { readonly title: string; readonly url: string; readonly snippet: ThemeMarkup }[]
  readonly did_you_mean: ThemeLink | null
  /** For `error`: the status, a sentence, and suggested pages. */
  readonly status: number | null
  readonly message: string | null
  readonly suggestions: readonly ThemeLink[]
}

/** The data that every template gets. */
export interface ThemeData {
  readonly site: {
    readonly title: string
    readonly tagline: string
    /** Origin and base path, without a slash at the end. */
    readonly url: string
    /** The path of the home page, such as `/` or `/blog/`. */
    readonly home: string
    readonly language: string
    /** `rtl` for languages written from right to left. */
    readonly direction: 'ltr' | 'rtl'
    readonly time_zone: string
    readonly logo: ThemeImage | null
    /** The logo on a dark ground; null if the logo serves there too. */
    readonly logo_dark: ThemeImage | null
    /** The address of the search page. */
    readonly search: string
    /** The page that lists all posts. */
    readonly posts: string
    readonly feed: string
    /** The postal address with its lines; empty if there is none. */
    readonly address: string
    /** The pages of the owner elsewhere, in the order of the setting. */
    readonly social: readonly SocialLink[]
    /** This year, in the time zone of the site. */
    readonly year: number
  }
  /** The values of the theme's settings, with the defaults of `theme.json`. */
  readonly settings: Readonly<Record<string, unknown>>
  /**
   * The menus by location, such as `main`. A location without a menu has an empty list, except `main` and `tree`, which get the
   * pages.
   */
  readonly menus: Readonly<Record<string, readonly ThemeMenuItem[]>>
  readonly request: { readonly path: string; readonly preview: boolean }
  readonly page: ThemePage
}

export const settingTypes = ['text', 'boolean', 'select', 'color', 'image', 'font', 'number'] as const

/** A setting of a theme, as `theme.json` declares it. */
export interface ThemeSetting {
  readonly id: string
  readonly type: (typeof settingTypes)[number]
  readonly label: string
  readonly help?: string
  readonly default: string | number | boolean | null
  readonly group?: string
  /** `select`: the values and their labels. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  readonly min?: number
  readonly max?: number
}

/** The content of `theme.json`. */
export interface ThemeManifest {
  readonly name: string
  readonly version: string
  readonly contract: 1
  readonly description?: string
  readonly author?: string
  readonly settings: readonly ThemeSetting[]
  /** The locations of menus, with their labels. */
  readonly menus: Readonly<Record<string, string>>
  /** The widths in which templates use images. */
  readonly image_widths?: readonly number[]
}
