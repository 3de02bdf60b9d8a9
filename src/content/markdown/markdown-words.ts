// The words that rendering adds to a text, such as the title of a callout, in the languages that ship. Other languages get English.

import { primaryOf } from '../languages/language.ts'

export interface TextWords {
  readonly note: string
  readonly tip: string
  readonly important: string
  readonly warning: string
  readonly caution: string
  readonly footnotes: string
  readonly backToText: string
  readonly table: string
  /** For screen readers, in place of the box of a task. */
  readonly done: string
  readonly toDo: string
  readonly playVideo: string
  readonly showMap: string
  /** The notice before the click that loads a frame. `{host}` is the other site. */
  readonly loadsFrom: string
  /** The name of a link to a picture without a description. `{number}` is its place in the gallery. */
  readonly picture: string
}

/** The words in the order in which the lists below have them. */
const names = [
  'note',
  'tip',
  'important',
  'warning',
  'caution',
  'footnotes',
  'backToText',
  'table',
  'done',
  'toDo',
  'playVideo',
  'showMap',
  'loadsFrom',
  'picture',
] as const satisfies readonly (keyof TextWords)[]

function words(list: string): TextWords {
  const all = list.split('|').map((word) => word.trim())
  return Object.fromEntries(names.map((name, place) => [name, all[place]])) as unknown as TextWords
}

const english = words(
  'Note | Tip | Important | Warning | Caution | Footnotes | Back to the text | Table | Done | To do | Play the video | Show the map | Loads from {host} | Picture {number}',
)

const languages: Readonly<Record<string, TextWords>> = {
  en: english,
  de: words(
    'Hinweis | Tipp | Wichtig | Warnung | Vorsicht | Fußnoten | Zurück zum Text | Tabelle | Erledigt | Offen | Video abspielen | Karte anzeigen | Lädt von {host} | Bild {number}',
  ),
  fr: words(
    'Remarque | Astuce | Important | Avertissement | Attention | Notes | Retour au texte | Tableau | Fait | À faire | Lire la vidéo | Afficher la carte | Chargé depuis {host} | Image {number}',
  ),
  es: words(
    'Nota | Consejo | Importante | Advertencia | Precaución | Notas al pie | Volver al texto | Tabla | Hecho | Pendiente | Reproducir el vídeo | Mostrar el mapa | Se carga desde {host} | Imagen {number}',
  ),
  pt: words(
    'Nota | Dica | Importante | Aviso | Cuidado | Notas de rodapé | Voltar ao texto | Tabela | Feito | Por fazer | Reproduzir o vídeo | Mostrar o mapa | Carrega de {host} | Imagem {number}',
  ),
  it: words(
    'Nota | Suggerimento | Importante | Avviso | Attenzione | Note | Torna al testo | Tabella | Fatto | Da fare | Riproduci il video | Mostra la mappa | Viene caricato da {host} | Immagine {number}',
  ),
  nl: words(
    'Opmerking | Tip | Belangrijk | Waarschuwing | Let op | Voetnoten | Terug naar de tekst | Tabel | Gedaan | Te doen | Video afspelen | Kaart tonen | Laadt van {host} | Afbeelding {number}',
  ),
  pl: words(
    'Uwaga | Wskazówka | Ważne | Ostrzeżenie | Ostrożnie | Przypisy | Powrót do tekstu | Tabela | Zrobione | Do zrobienia | Odtwórz wideo | Pokaż mapę | Ładuje się z {host} | Obraz {number}',
  ),
  ja: words(
    'メモ | ヒント | 重要 | 警告 | 注意 | 脚注 | 本文へ戻る | 表 | 完了 | 未完了 | 動画を再生 | 地図を表示 | {host} から読み込みます | 画像 {number}',
  ),
  zh: words(
    '说明 | 提示 | 重要 | 警告 | 注意 | 脚注 | 返回正文 | 表格 | 已完成 | 待办 | 播放视频 | 显示地图 | 将从 {host} 加载 | 图片 {number}',
  ),
}

export function wordsFor(language: string): TextWords {
  const primary = primaryOf(language)
  return Object.hasOwn(languages, primary) ? (languages[primary] ?? english) : english
}
