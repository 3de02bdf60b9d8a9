// The doctor's row for a site below a slug: does the path arrive with it? The most common mistake is one slash after the address
// in `proxy_pass`.

import { type DoctorAnswer, type Doctor, hrefOf } from './doctor.ts'
import { broken, firstOf, type Row } from './finding.ts'
import { siteFile } from './front-lines.ts'
import { basePathIn } from './mark.ts'
import { postApi, postMcp, resource, describe } from './questions.ts'

/** True if a request for this site arrived without its subdirectory. */
export const isStripped = ({ base }: Doctor, { seen, target, status, headers }: DoctorAnswer): boolean => {
  if (base.path === '' || !target.startsWith(base.path)) return false
  if (seen) return seen.target === (target.slice(base.path.length) || '/')
  // Postern serves this subdirectory, but treated the path as one outside it.
  return status === 404 && basePathIn(headers) === base.path
}

export const subdirectoryRow: Row = {
  id: 'subdirectory',
  source: 'below a slug: the path arrives without the slug, or Postern has another one',
  async run(doctor) {
    const { base } = doctor
    const asked = await doctor.askAll([postMcp, postApi, resource])
    return firstOf(asked, (one) => {
      if (isStripped(doctor, one)) {
        return broken(
          `${one.what} arrives at Postern without ${base.path}: the web server removes it. ` +
            'With nginx that is the slash at the end of "proxy_pass http://127.0.0.1:8080/;": remove that slash.',
          {
            nginx: 'proxy_pass http://127.0.0.1:8080;   without the slash behind the port',
            file: siteFile(base),
            apache: `ProxyPass ${base.path} http://127.0.0.1:8080${base.path} nocanon   with ${base.path} on both sides`,
            caddy: 'handle instead of handle_path, and no "uri strip_prefix"',
          },
          one.seen?.target ?? describe(one),
        )
      }
      const other = basePathIn(one.headers)
      if (one.status !== 404 || other === undefined || other === base.path) return undefined
      const where = other === '' ? "the host's root" : other
      return broken(
        `${one.what} is answered by Postern with 404: it is set up for ${where}.`,
        `POSTERN_BASE_URL=${hrefOf(doctor)}   in /etc/postern/postern.env; then: systemctl restart postern`,
        describe(one),
      )
    })
  },
}
