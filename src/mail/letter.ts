// A mail as text and as HTML. Both come from the same parts, in one template with the colour of the site.

import { escapeHtml } from '../content/markdown/escape-html.ts'

/** The contents of a mail. */
export interface Letter {
  readonly subject: string
  /** The paragraphs, as plain text. */
  readonly lines: readonly string[]
  /** The link that the mail is about. */
  readonly button?: { readonly label: string; readonly url: string } | undefined
  /** The last paragraph, in small letters: who sent the mail, and why. */
  readonly footer: string
}

/** The look of the mails of a site. */
export interface MailLook {
  /** BCP 47 */
  readonly language: string
  readonly title: string
  /** The colour of buttons, as `#rrggbb`. */
  readonly accent: string
}

/** A mail of both forms. */
export interface MailBody {
  readonly text: string
  readonly html: string
}

const usualAccent = '#1f4f8f'

export function bodyOfLetter({ lines, button, footer }: Letter, look: MailLook): MailBody {
  const address = button ? [`${button.label}:\n${button.url}`] : []
  const text = [...lines, ...address, `-- \n${footer}`].join('\n\n')
  return { text: `${text}\n`, html: htmlOf({ lines, button, footer }, look) }
}

/** Styles are in attributes, because mail programs drop style sheets. */
function htmlOf({ lines, button, footer }: Omit<Letter, 'subject'>, look: MailLook): string {
  const colour = mailColour(look.accent)
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
  const link = button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;` +
      `background:${colour};color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button.label)}</a></p>` +
      `<p style="margin:0 0 16px;font-size:13px;color:#5b6167;overflow-wrap:anywhere">${escapeHtml(button.url)}</p>`
    : ''
  return framedHtml(`${lines.map(paragraph).join('')}${link}`, escapeHtml(footer).replaceAll('\n', '<br>'), look)
}

/** The colour of links and buttons. */
export const mailColour = (accent: string): string => (/^#[0-9a-f]{6}$/i.test(accent) ? accent : usualAccent)

/** The frame of every mail: the name of the site above, the reason of the mail below. @param content, footer as HTML */
export function framedHtml(content: string, footer: string, { language, title, accent }: MailLook): string {
  const colour = mailColour(accent)
  return (
    `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>' +
    '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif"><div style="max-width:560px;margin:0 auto">' +
    `<p style="margin:0 0 24px;padding:0 0 12px;border-bottom:2px solid ${colour};font-weight:600">${escapeHtml(title)}</p>` +
    `${content}<p style="margin:32px 0 0;font-size:13px;color:#5b6167">${footer}</p>` +
    '</div></body></html>\n'
  )
}
