// Rows of the doctor: can a client find and reach the site? They check its name, IPv4 and IPv6 addresses, port, certificate and
// clock.

import { isIP } from 'node:net'
import { baseUrlText } from '../base/config.ts'
import { isLoopbackName } from '../http/origin.ts'
import { isPublicAddress } from '../outbound/public-address.ts'
import { type DoctorAnswer, type Doctor, nameOf, portOf, twinOf } from './doctor.ts'
import { broken, type Row, unknown, type Verdict, warning } from './finding.ts'
import { hostFile } from './front-lines.ts'
import { recordsOf } from './names.ts'
import { isDown, objectOf, postMcp, resource, describe } from './questions.ts'

const name: Row = {
  id: 'name',
  source: 'the name has no address, or a private, LAN or VPN one',
  first: true,
  async run({ base, options: { names } }) {
    const host = nameOf(base.host)
    if (names.server === undefined && isLoopbackName(host))
      return [unknown(`${host} is a name of this machine only. Hosted clients need a public name.`)]
    const { ipv4, ipv6, fault } = await recordsOf(names, host)
    if (fault !== undefined) return [unknown(`The addresses of ${host} are unknown: DNS answered ${fault}.`)]
    const all = [...ipv4, ...ipv6]
    const fix = `DNS: give ${host} an A record with the server's public IPv4 address`
    if (all.length === 0) return [broken(`DNS has no address for ${host}, so no client can find it.`, fix)]
    const inner = all.filter((address) => !isPublicAddress(address))
    if (inner.length === 0) return []
    return [
      // Not broken, because a site may be meant for the people of one network.
      warning(
        `${host} has the address ${inner.join(', ')}, which is not on the public internet. Hosted clients can't reach it.`,
        fix,
      ),
    ]
  },
}

const ipv6: Row = {
  id: 'ipv6',
  source: 'an IPv6 address is published, but refuses or serves another site; or there is no IPv4 address',
  first: true,
  async run(doctor) {
    const { names } = doctor.options
    const host = nameOf(doctor.base.host)
    const { ipv4, ipv6 } = names.server === undefined && isLoopbackName(host) ? none : await recordsOf(names, host)
    if (ipv6.length > 0 && ipv4.length === 0) {
      const message = `${host} has only IPv6 addresses, and some clients can't use IPv6.`
      return [warning(message, `DNS: give ${host} an A record too`, ipv6.join(', '))]
    }
    if (ipv6.length === 0 && names.instead.get(host)?.some((one) => one.includes(':')) !== true) return []
    const fix = {
      nginx: 'listen [::]:443 ssl http2;   (or remove the AAAA record)',
      file: hostFile,
      apache: 'Listen [::]:443',
      caddy: 'Remove the AAAA record, or let Caddy listen on IPv6',
    }
    const [by6, by4] = await Promise.all([doctor.ask({ ...resource, family: 6 }), doctor.ask({ ...resource, family: 4 })])
    if (noRoute(by6)) return [unknown('This machine has no IPv6. Run the doctor on a machine that has it.')]
    if (by6.fault) return [broken(`DNS has an IPv6 address for ${host}, but nothing answers there: ${by6.fault.message}.`, fix)]
    if (by4.fault || (by4.status === by6.status && isDocument(by4) === isDocument(by6))) return []
    return [
      broken(
        `${host} serves another site over IPv6 than over IPv4: ${by6.what} came back with ${describe(by6)}.`,
        fix,
        `IPv4: ${describe(by4)}`,
      ),
    ]
  },
}

const isDocument = (asked: DoctorAnswer): boolean => objectOf(asked)?.['resource'] !== undefined
const none = { ipv4: [], ipv6: [] } as const
const noRoute = ({ fault }: DoctorAnswer): boolean =>
  fault !== undefined && /ENETUNREACH|EAFNOSUPPORT|EADDRNOTAVAIL/.test(fault.message)

const reachable: Row = {
  id: 'reachable',
  source: 'the connection is refused, or nothing answers',
  first: true,
  async run(doctor) {
    const asked = await doctor.ask(resource)
    const { fault } = asked
    if (!fault || fault.kind === 'certificate') return []
    const { base } = doctor
    const where = `${base.host} on port ${portOf(base)}`
    const fix = `sudo ufw allow ${portOf(base)}/tcp   (and check that the web server runs: systemctl status nginx)`
    if (fault.kind === 'refused')
      return [
        broken(`Nothing accepts connections at ${where}: a firewall blocks them, or no web server runs.`, fix, fault.message),
      ]
    if (fault.kind === 'silent') {
      const hangs = `${where} accepts connections, but then there is ${fault.message}: the service or the web server hangs.`
      return [broken(hangs, 'systemctl restart postern   (its last log lines: journalctl -u postern -n 50)')]
    }
    const hairpin = ` Some servers can't reach their own public address. Then run this on another machine: postern doctor --url ${baseUrlText(base)}`
    return [broken(`${where} does not answer: ${fault.message}.${fault.kind === 'timeout' ? hairpin : ''}`, fix)]
  },
}

const certificate: Row = {
  id: 'certificate',
  source: 'there is no certificate, or it has expired, is for another name, or lacks its chain',
  first: true,
  async run(doctor) {
    if (doctor.base.scheme === 'http') return plainFault(doctor)
    const [own, twin] = await Promise.all([doctor.ask(resource), doctor.ask({ ...resource, twin: true })])
    return [own, twin].map((one, index) => certificateFault(doctor, one, index === 1)).filter((one) => one !== undefined)
  },
}

/** The fault of plain http. It is acceptable on this machine and in a private network. */
function plainFault({ base }: Doctor): readonly Verdict[] {
  const host = nameOf(base.host)
  const literal = host.replace(/^\[|\]$/g, '')
  if (isLoopbackName(host) || (isIP(literal) !== 0 && !isPublicAddress(literal))) return []
  const fix = `certbot certonly -d ${host}   then: postern nginx --tls … and POSTERN_BASE_URL=https://${host}${base.path}`
  return [
    warning(`${host} is served over plain http. Hosted clients require https, and anyone on the way can read the tokens.`, fix),
  ]
}

function certificateFault({ base }: Doctor, { fault, what }: DoctorAnswer, isTwin: boolean): Verdict | undefined {
  if (fault?.kind !== 'certificate') return undefined
  const host = new URL(what.split(' ')[1] ?? '').hostname
  const why = /expired/i.test(fault.message)
    ? 'has expired'
    : /altname|does not match/i.test(fault.message)
      ? `is not for ${host}`
      : 'lacks its chain, or its issuer is not trusted'
  const own = nameOf(base.host)
  const names = [...new Set([own, nameOf(twinOf(base.host))])].map((name) => `-d ${name}`).join(' ')
  const fix = {
    nginx: `ssl_certificate /etc/letsencrypt/live/${own}/fullchain.pem;   from: certbot certonly ${names}`,
    file: 'snippets/postern-tls.conf',
    apache: `SSLCertificateFile /etc/letsencrypt/live/${own}/fullchain.pem   from: certbot certonly ${names}`,
    caddy: 'Leave "tls" out: Caddy gets and renews certificates itself',
  }
  return (isTwin ? warning : broken)(`The certificate of ${host} ${why}, so clients refuse it.`, fix, fault.message)
}

const maxSkewMs = 5000

const clock: Row = {
  id: 'clock',
  source: 'the server’s time is off by more than 5 s',
  async run(doctor) {
    const before = Date.now()
    const { headers } = await doctor.ask({ ...resource, round: 1 })
    const sent = Date.parse(headers['date'] ?? '')
    if (Number.isNaN(sent)) return []
    // The header has whole seconds, and the answer was in transit for a while.
    const off = sent < before ? Math.max(0, before - sent - 1000) : Math.max(0, sent - Date.now())
    if (off <= maxSkewMs) return []
    const message = `The clocks of the server and of this machine are ${Math.round(off / 1000)} s apart. Sign-in codes are valid for 60 s and may expire early.`
    return [warning(message, 'sudo timedatectl set-ntp true', `Date: ${headers['date']}`)]
  },
}

export const reachRows: readonly Row[] = [name, ipv6, reachable, certificate, clock]

/** The reason why no other row can be checked; undefined if they can. */
export async function whyNotAsk(doctor: Doctor): Promise<string | undefined> {
  const { fault } = await doctor.ask(resource)
  if (fault?.kind === 'certificate')
    return `Not checked, because clients refuse the certificate (${fault.message}). To trust a certificate of your own, use --cacert FILE.`
  if (fault) return `Nothing answers at the site's address: ${fault.message}.`
  const asked = await doctor.askAll([resource, postMcp])
  return asked.every(isDown) ? 'Not checked, because the web server does not reach Postern.' : undefined
}
