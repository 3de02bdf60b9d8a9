// Words by which people look for a setting, in the languages of the admin, where its name and help have others.

import type { SettingKey } from '../../settings/definitions.ts'

export const everydayWords: Readonly<Partial<Record<SettingKey, string>>> = {
  site_title: 'title heading brand name Titel Überschrift Marke',
  site_tagline: 'slogan subtitle motto Slogan Motto',
  site_address: 'contact imprint street footer Kontakt Impressum Straße Fußzeile',
  social_links: 'facebook instagram mastodon linkedin youtube profile footer Profil Fußzeile',
  logo: 'brand picture Marke Bild',
  site_icon: 'favicon app icon tab Symbol',
  social_image: 'preview card facebook share og:image Vorschau teilen',
  language: 'locale translation Sprache Übersetzung',
  languages: 'locale translation multilingual Sprache Übersetzung mehrsprachig',
  time_zone: 'clock date time hours Uhr Datum Uhrzeit',
  home: 'front page start page landing Startseite Anfang',
  posts_page: 'blog news articles Blog Neuigkeiten Beiträge',
  posts_per_page: 'pagination how many Seiten Anzahl',
  cache_seconds: 'speed slow nginx Geschwindigkeit langsam',
  statistics: 'visitors visits analytics counter Besucher Zähler Analyse',
  statistics_obey_opt_out: 'privacy dnt gpc tracking analytics Datenschutz',
  formulas: 'math mathematics equation tex latex katex Mathematik Gleichung Formel',
  stage_edits: 'draft review approve publish Entwurf prüfen freigeben',
  image_format: 'webp avif jpeg speed Bilder Format',
  max_file_mib: 'upload limit video size Größe hochladen',
  instructions: 'assistant ai claude chatgpt prompt KI Assistent',
  allowed_sources: 'csp script embed iframe external security extern Sicherheit',
  mcp_origins: 'cors connect assistant security verbinden Sicherheit',
}

/** The same for settings of themes, by their id. */
export const themeWords: Readonly<Record<string, string>> = {
  accent: 'colour color link button brand Farbe Link Knopf',
  palette: 'colour color dark light background Farbe dunkel hell Hintergrund',
  scheme: 'dark mode night light dunkel Nacht hell',
  fonts: 'typeface letters Schriftart Buchstaben',
  text_font: 'typeface letters Schriftart Buchstaben',
  footer_text: 'bottom copyright © unten',
  hero_image: 'header picture cover Kopf Bild',
}
