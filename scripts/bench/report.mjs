// Prints the results of the benchmark as a table.

import { aims as createAims } from './creates.mjs'
import { aim as homeAim } from './home.mjs'
import { aim } from './plugins.mjs'
import { aims as uploadAims } from './uploads.mjs'

const out = (text) => process.stdout.write(`${text}\n`)
const whole = (number) => Math.round(number).toLocaleString('en')
const row = (...cells) =>
  out(cells.map((cell, place) => (place === 0 ? String(cell).padEnd(28) : String(cell).padStart(widths[place - 1]))).join(' '))
const widths = [8, 9, 9, 7, 5, 6, 8, 6, 5, 6, 6, 6]

/** Aims for the service as a whole: milliseconds to the first answer, megabytes at rest. */
const aims = { startMs: 500, restMb: 90 }

export function printHead({ count, rounds, seconds }) {
  out(`${whole(count)} entries; medians of ${rounds} rounds of ${seconds} s, 10 connections; requests per second`)
  out('(µs: processor time of the service for one request, all its threads)\n')
  row('case', 'bytes', 'postern', 'bare', 'ratio', 'aim', '', 'SDK', 'ratio', 'aim', '', 'µs', 'bare')
}

export function printCase({ one, bytes, servers: { service, bare, sdk }, ratio, sdkRatio }) {
  const against = sdk
    ? [whole(sdk.perSecond), sdkRatio.toFixed(1), one.sdkAim ?? '', verdict(sdkRatio, one.sdkAim)]
    : ['', '', '', '']
  row(
    one.what,
    whole(bytes),
    whole(service.perSecond),
    whole(bare.perSecond),
    ratio.toFixed(2),
    one.aim ?? '',
    verdict(ratio, one.aim),
    ...against,
    whole(service.cpu),
    whole(bare.cpu),
  )
}

export function printPairsHead({ count, rounds, seconds }) {
  out(
    `${whole(count)} entries; ${rounds} rounds of ${seconds} s, 10 connections; µs: the least processor time per request, all threads`,
  )
  out("(ratio: by the other checkout's; of bare: the bare server's time by this checkout's, and the aim for it)\n")
  row('case', 'µs', 'other µs', 'bare µs', 'ratio', '', 'of bare', 'aim', '')
}

export function printPair({ one, servers: { service, against, bare }, bareCpu, againstCpu }) {
  const cells = [service, against, bare].map(({ cpu }) => cpu.toFixed(1))
  row(one.what, ...cells, againstCpu.toFixed(2), '', bareCpu.toFixed(2), one.cpuAim ?? '', verdict(bareCpu, one.cpuAim))
}

/** Prints a figure of this checkout and of another. */
export function printPairOfTrees({ what, unit, service, against }) {
  row(`${what} (${unit})`, whole(service), whole(against), '', (service / against).toFixed(2))
}

const verdict = (found, aim) => (aim === undefined ? '' : found >= aim ? 'ok' : 'short')
const below = (found, aim) => (found < aim ? 'ok' : 'too much')

export function printCreates({ service, bare, ratio }) {
  const times = ({ p50, p99 }) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  out('')
  out(
    `creates over /api/     ${whole(service.perSecond)} per second (aim: ${whole(createAims.perSecond)}) ${verdict(service.perSecond, createAims.perSecond)}, ${times(service)} (aim: p99 under ${createAims.p99}) ${below(service.p99, createAims.p99)}, ${whole(service.cpu)} µs of the service`,
  )
  out(`the bare transaction   ${whole(bare.perSecond)}, ${times(bare)}, ${whole(bare.cpu)} µs; ratio ${ratio.toFixed(2)}`)
}

export function printHome(ms) {
  out(`home after a publication   ${ms.toFixed(1)} ms of processor time (aim: ${homeAim}) ${below(ms, homeAim)}`)
}

export function printPlugins({ perSecond: { none, idle, guarded }, cpu, ratio }) {
  const cost = 1e6 / guarded - 1e6 / none
  out('')
  out(`welcome over /api/     ${whole(none)} per second without plugins, ${whole(cpu.none)} µs of the service`)
  out(
    `five idle plugins      ${whole(idle)}, ${ratio.toFixed(2)} of that (aim: ${aim}) ${verdict(ratio, aim)}, ${whole(cpu.idle)} µs`,
  )
  out(`one beforeDispatch     ${whole(guarded)}, ${Math.round(cost)} µs more per call, ${whole(cpu.guarded)} µs`)
}

export function printWhole({ filled, startMs, restMb, loadedMb }) {
  out('')
  out(`start to first answer  ${Math.round(startMs)} ms (aim: under ${aims.startMs}) ${below(startMs, aims.startMs)}`)
  out(`memory at rest         ${Math.round(restMb)} MB (aim: under ${aims.restMb}) ${below(restMb, aims.restMb)}`)
  out(`memory after the load  ${Math.round(loadedMb)} MB`)
  out(`${whole(filled.entries)} entries written in ${filled.seconds.toFixed(1)} s, 50 per call`)
}

/** Prints the figures of uploads.mjs as they are found. */
export function printUploads({ photoMb, seconds, idleP99Ms, loopP99Ms, peakMb }, name) {
  const { loopP99Ms: mostMs, peakMb: mostMb } = uploadAims
  const lines = {
    seconds: () => `a photo of 12 megapixels (${photoMb.toFixed(1)} MB) to all sizes: ${seconds.toFixed(2)} processor seconds`,
    idleP99Ms: () => `delay of the event loop, p99, idle: ${idleP99Ms.toFixed(1)} ms`,
    loopP99Ms: () => `… during uploads: ${loopP99Ms.toFixed(1)} ms (aim: under ${mostMs}) ${below(loopP99Ms, mostMs)}`,
    peakMb: () =>
      `ten photos at once, memory of all processes: ${whole(peakMb)} MB (aim: under ${mostMb}) ${below(peakMb, mostMb)}`,
  }
  out(lines[name]())
}

const ms = (number) => number.toFixed(2)

/** Prints the results of growth.mjs as they come. */
export const growthPrinter = {
  creates: printCreates,
  head({ count, seconds, megabytes, startMs }) {
    out(`${whole(count)} entries, made in ${whole(seconds)} s; ${whole(megabytes)} MB; started in ${whole(startMs)} ms`)
    out('milliseconds, one request at a time; cpu: processor time of the service for one request, all its threads\n')
    row('question', 'p50', 'p99', 'aim p50', 'p99', '', 'cpu')
  },
  row({ what, p50, p99, cpu, aim: wanted }) {
    const met = wanted && (p50 < wanted.p50 && p99 < wanted.p99 ? 'ok' : 'short')
    row(what, ms(p50), ms(p99), wanted?.p50 ?? '', wanted?.p99 ?? '', met ?? '', ms(cpu))
  },
}
