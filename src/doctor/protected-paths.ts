// Spellings of the path of a private file. Each has opened, on some web server, a folder that was denied in its plain spelling.

/**
 * Folders that neither the service nor the web server in front of it may serve: logs, skills, and files that need a sign-in or a
 * signed address.
 */
export const protectedFolders = ['/user-content/logs', '/user-content/skills', '/user-content/uploads/protected'] as const

/** Spellings of a file's path, below the base path, that a careless web server might serve. The plain one is first (attack 129). */
export function spellingsOf(folder: string, name: string): readonly string[] {
  const plain = `${folder}/${name}`
  const [, ...segments] = plain.split('/')
  const last = folder.lastIndexOf('/') + 1
  const within = (instead: string): string => `${folder.slice(0, last)}${instead}/${name}`
  const own = folder.slice(last)
  return [
    plain,
    within(own.toUpperCase()),
    `/User-Content${plain.slice('/user-content'.length)}`,
    within(escaped(own)),
    plain.replaceAll('/', '//'),
    `/x/..${plain}`,
    `/x/%2e%2e${plain}`,
    `/./${segments.join('/./')}`,
    `/${segments.join('%2F')}`,
    `/${segments.join('\\')}`,
    `/${segments.join('%5c')}`,
    within(`${own}.`),
    within(`${own};a=b`),
    within(`${own}%20`),
  ]
}

/** A text with its first letter percent-encoded. */
const escaped = (text: string): string => `%${text.charCodeAt(0).toString(16).toUpperCase()}${text.slice(1)}`
