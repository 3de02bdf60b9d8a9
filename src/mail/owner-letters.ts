// The mails to people who have an account, in the languages of the admin.

import { filled, formOf, type MessageText } from '../base/message-form.ts'
import type { Letter } from './letter.ts'

/** The words of a mail. A line whose placeholder has no value is left out. */
interface Words {
  readonly subject: MessageText
  readonly lines: readonly MessageText[]
  readonly button?: string
}

const english = {
  test: { subject: 'Test mail of {site}', lines: ['This is the test mail of {site}. Mails of the site arrive here.'] },
  invitation: {
    subject: 'Your account at {site}',
    lines: [
      '{by} has made an account for you at {site}. You sign in as {email}.',
      'The link sets your password. It works once, until {until}.',
    ],
    button: 'Set a password',
  },
  new_password: {
    subject: 'A new password for {site}',
    lines: [
      '{by} has ended the password of your account {email} at {site}.',
      'The link sets a new one. It works once, until {until}.',
    ],
    button: 'Set a new password',
  },
  reset: {
    subject: 'A new password for {site}',
    lines: [
      'Somebody, probably you, asked for a new password for the account {email} at {site}.',
      'The link works once, for 30 minutes. Until then nothing has changed, and if you did not ask for it, there is nothing to do.',
    ],
    button: 'Set a new password',
  },
  new_browser: {
    subject: 'New sign-in at {site}',
    lines: [
      'The account {email} signed in on a browser on which it had not signed in before.',
      'Time: {time}\nNetwork address: {address}\nBrowser: {agent}',
      'If this was not you, change your password. That ends all other sessions.',
    ],
    button: 'Your account',
  },
  second_factor: {
    subject: 'The second factors of your account at {site} were changed',
    lines: [
      'The second factors of the account {email} were changed: {time}.',
      'If this was not you, talk to the people who run the site.',
    ],
    button: 'Your account',
  },
  password: {
    subject: 'The password of your account at {site} was changed',
    lines: [
      'The password of the account {email} was changed or ended: {time}.',
      'If this was not you, talk to the people who run the site.',
    ],
    button: 'Your account',
  },
  email: {
    subject: 'The mail address of your account at {site} was changed',
    lines: [
      'The account that had this address at {site} now has another: {email}. The time: {time}.',
      'If this was not you, talk to the people who run the site.',
    ],
  },
  proposals: {
    subject: { one: 'A proposal waits at {site}', other: '{count} proposals wait at {site}' },
    lines: [
      { one: 'A proposal waits for your decision:', other: '{count} proposals wait for your decision:' },
      '{list}',
      'How often such mails come, you choose under Your account.',
    ],
    button: 'Look at them',
  },
  form: {
    subject: '{form}: a message from {site}',
    lines: ['{list}', 'Your answer goes to the sender, if the form asked for an address.'],
    button: 'All submissions',
  },
  receiver: {
    subject: 'Do you want mails of {site}?',
    lines: [
      '{site} wants to send you what visitors write by the form “{form}”.',
      'Agree with the link, which is good for a week. Otherwise you get nothing.',
    ],
    button: 'Agree',
  },
  comments: {
    subject: { one: 'A comment waits at {site}', other: '{count} comments wait at {site}' },
    lines: [
      {
        one: 'A comment waits for your decision. Its link opens a page with buttons, for seven days:',
        other: '{count} comments wait for your decision. Each link opens a page with buttons, for seven days:',
      },
      '{list}',
      'How often such mails come, you choose under Your account.',
    ],
    button: 'All comments',
  },
  trouble: {
    subject: '{site} needs you',
    lines: ['The checks of {site} found:', '{list}', 'Each is told once. The page has what helps.'],
    button: 'State of the site',
  },
} as const satisfies Record<string, Words>

/** The kinds of mail to people who have an account. */
export type OwnerMailKind = keyof typeof english

const german: Readonly<Record<OwnerMailKind, Words>> = {
  test: { subject: 'Testmail von {site}', lines: ['Das ist die Testmail von {site}. Mails der Website kommen hier an.'] },
  invitation: {
    subject: 'Dein Konto bei {site}',
    lines: [
      '{by} hat dir ein Konto bei {site} angelegt. Du meldest dich als {email} an.',
      'Mit dem Link setzt du dein Passwort. Er gilt einmal, bis {until}.',
    ],
    button: 'Passwort setzen',
  },
  new_password: {
    subject: 'Ein neues Passwort für {site}',
    lines: [
      '{by} hat das Passwort deines Kontos {email} bei {site} aufgehoben.',
      'Mit dem Link setzt du ein neues. Er gilt einmal, bis {until}.',
    ],
    button: 'Neues Passwort setzen',
  },
  reset: {
    subject: 'Ein neues Passwort für {site}',
    lines: [
      'Jemand, wahrscheinlich du, hat ein neues Passwort für das Konto {email} bei {site} angefordert.',
      'Der Link gilt einmal, 30 Minuten lang. Bis dahin hat sich nichts geändert. Wenn du es nicht warst, ist nichts zu tun.',
    ],
    button: 'Neues Passwort setzen',
  },
  new_browser: {
    subject: 'Neue Anmeldung bei {site}',
    lines: [
      'Das Konto {email} hat sich in einem Browser angemeldet, in dem es noch nie angemeldet war.',
      'Zeit: {time}\nNetzadresse: {address}\nBrowser: {agent}',
      'Wenn du das nicht warst, ändere dein Passwort. Das beendet alle anderen Sitzungen.',
    ],
    button: 'Dein Konto',
  },
  second_factor: {
    subject: 'Der zweite Faktor deines Kontos bei {site} wurde geändert',
    lines: [
      'Der zweite Faktor des Kontos {email} wurde geändert: {time}.',
      'Wenn du das nicht warst, sprich mit denen, die die Website betreiben.',
    ],
    button: 'Dein Konto',
  },
  password: {
    subject: 'Das Passwort deines Kontos bei {site} wurde geändert',
    lines: [
      'Das Passwort des Kontos {email} wurde geändert oder aufgehoben: {time}.',
      'Wenn du das nicht warst, sprich mit denen, die die Website betreiben.',
    ],
    button: 'Dein Konto',
  },
  email: {
    subject: 'Die Mailadresse deines Kontos bei {site} wurde geändert',
    lines: [
      'Das Konto, das bei {site} diese Adresse hatte, hat jetzt eine andere: {email}. Die Zeit: {time}.',
      'Wenn du das nicht warst, sprich mit denen, die die Website betreiben.',
    ],
  },
  proposals: {
    subject: { one: 'Ein Vorschlag wartet bei {site}', other: '{count} Vorschläge warten bei {site}' },
    lines: [
      { one: 'Ein Vorschlag wartet auf deine Entscheidung:', other: '{count} Vorschläge warten auf deine Entscheidung:' },
      '{list}',
      'Wie oft solche Mails kommen, wählst du unter „Dein Konto“.',
    ],
    button: 'Ansehen',
  },
  form: {
    subject: '{form}: eine Nachricht von {site}',
    lines: ['{list}', 'Deine Antwort geht an den Absender, wenn das Formular nach einer Adresse gefragt hat.'],
    button: 'Alle Einsendungen',
  },
  receiver: {
    subject: 'Möchtest du Mails von {site}?',
    lines: [
      '{site} möchte dir schicken, was Besucher mit dem Formular „{form}“ schreiben.',
      'Stimme mit dem Link zu, er gilt eine Woche. Sonst bekommst du nichts.',
    ],
    button: 'Zustimmen',
  },
  comments: {
    subject: { one: 'Ein Kommentar wartet bei {site}', other: '{count} Kommentare warten bei {site}' },
    lines: [
      {
        one: 'Ein Kommentar wartet auf deine Entscheidung. Sein Link öffnet eine Seite mit Knöpfen, sieben Tage lang:',
        other: '{count} Kommentare warten auf deine Entscheidung. Jeder Link öffnet eine Seite mit Knöpfen, sieben Tage lang:',
      },
      '{list}',
      'Wie oft solche Mails kommen, wählst du unter „Dein Konto“.',
    ],
    button: 'Alle Kommentare',
  },
  trouble: {
    subject: '{site} braucht dich',
    lines: ['Die Prüfungen von {site} haben gefunden:', '{list}', 'Jeder Befund kommt einmal. Die Seite hat, was hilft.'],
    button: 'Zustand der Website',
  },
}

const footers = {
  en: 'Sent by {site} ({host}) because this address belongs to an account there.',
  de: 'Gesendet von {site} ({host}), weil diese Adresse zu einem Konto dort gehört.',
} as const

/** The values of a mail's placeholders. `count` chooses the plural form. */
export interface OwnerMailValues {
  readonly site: string
  /** The host of the site. */
  readonly host: string
  readonly [name: string]: string | number | undefined
}

/**
 * The language of mails to people with an account: German for `de` and its regions, English for all others.
 * @param language BCP 47
 */
export const ownerLanguage = (language: string): 'de' | 'en' => (/^de\b/.test(language) ? 'de' : 'en')

const letters: Readonly<Record<'de' | 'en', Readonly<Record<OwnerMailKind, Words>>>> = { de: german, en: english }

/** @param language BCP 47 @param url the link of the button */
export function ownerLetter(kind: OwnerMailKind, language: string, values: OwnerMailValues, url?: string): Letter {
  const own = ownerLanguage(language)
  const { subject, lines, button } = letters[own][kind]
  const count = typeof values['count'] === 'number' ? values['count'] : 0
  const say = (message: MessageText) => filled(formOf(message, own, count), (name) => values[name]?.toString())
  return {
    subject: say(subject),
    lines: lines.map(say),
    ...(url !== undefined && button !== undefined && { button: { label: button, url } }),
    footer: say(footers[own]),
  }
}
