// Serves a site until it is stopped: one HTTP server with the routes of every door, background work, signals, readiness.

import { type AccessLog, countAnswers, createAccessLog } from './answered.ts'
import { basePathOf, type BaseUrl, baseUrlText, type Config, ownHostsOf, readConfig, unknownSettings } from '../base/config.ts'
import { dispatch } from '../actions/call/dispatch.ts'
import { droppedFieldsTurn } from '../actions/types/dropped-fields.ts'
import { expiredRowsTurn } from '../actions/call/expired-rows.ts'
import { formFilesTurn } from '../actions/forms/form-files-turn.ts'
import { healthTurn } from '../actions/health/health.ts'
import { senderOf } from '../actions/webhooks/sender-of.ts'
import { moveTextsTurn } from '../actions/themes/move-texts-turn.ts'
import { variantsTurn } from '../actions/media/make-variants.ts'
import { unusedMediaTurn } from '../actions/media/unused-media.ts'
import { openSite, type Site } from './compose.ts'
import { sentBackups } from '../backup/elsewhere/sending.ts'
import { scheduledBackups } from '../backup/schedule.ts'
import { startMailer } from '../mail/mailer.ts'
import { noticesTurn } from '../actions/mail/notices-turn.ts'
import { newslettersTurn } from '../actions/subscribers/newsletters-turn.ts'
import { webmentionsTurn } from '../actions/webmentions/webmentions-turn.ts'
import { startSender } from '../webhooks/sender.ts'
import { workInThreads } from '../backup/work.ts'
import { systemClock } from '../base/clock.ts'
import { startSchedule } from '../content/entries/schedule.ts'
import { answerProbes } from '../doctor/seen.ts'
import { doorFailure, doorRouter } from './routes.ts'
import { defaultLimits, type Limits } from '../http/limits.ts'
import { startRecurring } from '../jobs/recurring.ts'
import type { HostPolicy } from '../http/origin.ts'
import { createHttpServer, type HttpServer } from '../http/server.ts'
import { system } from '../identity/caller.ts'
import { hasAccount, setUpCode } from '../identity/set-up.ts'
import type { Sink } from '../base/log.ts'
import { measureSite } from './measures.ts'
import { pluginJobs } from '../plugins/jobs.ts'
import { keepPresence } from '../processes/presence.ts'
import type { Repeating } from '../base/repeating.ts'
import { findWorker } from '../processes/worker.ts'
import { seatOf } from '../processes/seat.ts'
import { ignoreStopSignals, stopSignal } from './stop-signal.ts'
import type { Streams } from './streams.ts'
import { createNotifier, levelMark, startFailure, type Supervised, takeSupervised } from './systemd.ts'
import { sayForOwners } from './say-for-owners.ts'
import { letGrow } from './young-generation.ts'

/** A running service. */
export interface Service {
  readonly site: Site
  readonly port: number
  /** Finishes open requests, refuses new ones, and closes everything. */
  stop(): Promise<void>
}

/**
 * Starts the service, on a socket that systemd opened or else on the host and port of the settings.
 * @throws Error or Failure with one sentence for people. No port is open then
 */
export async function startService(config: Config, { out }: Streams, supervised: Supervised): Promise<Service> {
  const sink: Sink = (line, level) => out(`${levelMark(supervised, level)}${line}\n`)
  const site = await openSite(config, sink, systemClock, workInThreads(config), seatOf(config))
  try {
    const access =
      config.POSTERN_ACCESS_LOG === 'on'
        ? createAccessLog(site.clock, out, levelMark(supervised, 'info'), site.processes.name)
        : undefined
    const server = serverOf(site, access)
    measureSite(site, () => server.connections)
    const { socketFd } = supervised
    const here = socketFd === undefined ? { host: config.POSTERN_HOST, port: config.POSTERN_PORT } : { fd: socketFd }
    // Announced before the port opens: a process that sees the service answer must also find its presence.
    const presence = presenceOf(site)
    await presence?.run()
    const { port, address } = await server.listen(here)
    const background = [...(presence ? [presence] : []), ...startBackground(site)]
    site.log.info('listening', { address, port, release: config.POSTERN_COMPAT, home: config.POSTERN_HOME })
    const stop = async () => {
      site.life.stopping = true
      await Promise.all([server.close(config.POSTERN_STOP_SECONDS * 1000), ...background.map((work) => work.stop())])
      access?.close()
      site.log.info('stopped')
      await site.close()
    }
    return { site, port, stop }
  } catch (error) {
    await site.close()
    throw error
  }
}

/** Announces this process to others; undefined for the only process of a site. */
function presenceOf(site: Site): Repeating | undefined {
  const { POSTERN_INSTANCE: instance, POSTERN_HOME: home } = site.config
  return instance === undefined ? undefined : keepPresence(home, instance, site)
}

function startBackground(site: Site): readonly Repeating[] {
  return [
    startSender(senderOf(site)),
    startMailer(site),
    startSchedule(site, async (call) => dispatch(site, system, call, { origin: '' })),
    startRecurring(site, async () => [
      healthTurn(site),
      noticesTurn(site, sayForOwners),
      ...webmentionsTurn(site),
      ...newslettersTurn(site, { dispatch: async (call) => dispatch(site, system, call, { origin: '' }), say: sayForOwners }),
      variantsTurn(site),
      unusedMediaTurn(site),
      expiredRowsTurn(site),
      formFilesTurn(site),
      ...(await scheduledBackups(site)),
      ...(await sentBackups(site)),
      ...droppedFieldsTurn(site),
      ...(await moveTextsTurn(site)),
      ...pluginJobs(site.plugins.active),
    ]),
  ]
}

function serverOf(site: Site, access: AccessLog | undefined): HttpServer {
  const { config, log } = site
  const count = countAnswers(site.metrics)
  return createHttpServer({
    router: doorRouter(site),
    basePath: basePathOf(config),
    limits: limitsOf(config),
    hosts: hostPolicyOf(site),
    log,
    onFailure: doorFailure(site),
    serverHeaders: { 'x-content-type-options': 'nosniff' },
    beforeAnswer: answerProbes(site.key, site.clock, config.POSTERN_INSTANCE?.toString()),
    onAnswer: (record) => {
      count(record)
      access?.onAnswer(record)
    },
  })
}

function limitsOf(config: Config): Limits {
  return {
    ...defaultLimits,
    maxHeaderBytes: config.POSTERN_MAX_HEADER_BYTES,
    maxHeaders: config.POSTERN_MAX_HEADERS,
    headersSeconds: config.POSTERN_HEADERS_SECONDS,
    bodySeconds: config.POSTERN_BODY_SECONDS,
    readerSeconds: config.POSTERN_READER_SECONDS,
    keepAliveSeconds: config.POSTERN_KEEP_ALIVE_SECONDS,
    maxRequestsPerSocket: config.POSTERN_MAX_REQUESTS_PER_SOCKET,
    stopMs: config.POSTERN_STOP_SECONDS * 1000,
  }
}

function hostPolicyOf({ config, release }: Site): HostPolicy {
  const baseUrl: BaseUrl | undefined = config.POSTERN_BASE_URL
  return {
    ownHosts: ownHostsOf(config),
    trustedProxies: config.POSTERN_TRUSTED_PROXIES ?? [],
    forwardedProto: release.forwardedProto,
    forwardedFor: release.forwardedFor,
    listening: config.POSTERN_HOST,
    ...(baseUrl ? { baseUrl } : {}),
  }
}

/**
 * Runs one process of the service from start to stop: reads the settings, serves, and ends on SIGTERM or SIGINT.
 * @param env the environment of the process. Variables of systemd that are meant for this process alone are removed from it
 * @param stopped resolves when the service has to stop. Signals are handled before the service listens, because it may be stopped
 * at once.
 * @returns the exit code: 0 after a requested stop, 1 if the start failed
 */
export async function serve(
  env: Record<string, string | undefined>,
  streams: Streams,
  stopped: Promise<void> = stopSignal(),
): Promise<number> {
  const worker = findWorker()
  if (worker) ignoreStopSignals()
  let supervised: Supervised | undefined
  let service: Service
  try {
    supervised = takeSupervised(env)
    if (worker) supervised = { ...supervised, socketFd: worker.socketFd }
    const config = readConfig(env)
    service = await startService(config, streams, supervised)
    if (isFirst(service.site)) {
      for (const name of unknownSettings(env)) service.site.log.warn('unknown setting', { name })
      await greet(service, streams)
    }
  } catch (error) {
    streams.err(startFailure(error, supervised))
    worker?.leave()
    return 1
  }
  letGrow()
  worker?.answer(() => signOfLife(service.site))
  await live(service, supervised, worker ? Promise.race([stopped, worker.left]) : stopped)
  worker?.leave()
  return 0
}

/** True for the only process of a site, or the first of several. It alone prints the messages of a start. */
const isFirst = ({ processes: { name } }: Site): boolean => name === undefined || name === '1'

/**
 * Fails if this process hangs. SQLite runs in threads of the process, so a query shows whether they hang. A PostgreSQL server
 * that does not answer is not a fault of this process: cached pages are still served, and a restart would lose them.
 */
const signOfLife = async ({ store }: Site): Promise<void> => {
  if (store.engine === 'SQLite') await store.read.selectFrom('setting').select('key').limit(1).execute()
}

/** Announces readiness, waits until the service has to stop, and stops it. */
async function live({ site, port, stop }: Service, supervised: Supervised, stopped: Promise<void>): Promise<void> {
  const notifier = createNotifier(supervised, site.log)
  await notifier.ready(`Serving on port ${port}.`)
  notifier.startWatchdog(() => signOfLife(site))
  await stopped
  notifier.stopWatchdog()
  await Promise.all([notifier.stopping(), stop()])
}

/** Prints the address, and the set-up link if there is no account yet. */
async function greet({ site, port }: Service, streams: Streams): Promise<void> {
  const { config } = site
  const base = config.POSTERN_BASE_URL
  const address = base ? `${baseUrlText(base)}/` : `http://${config.POSTERN_HOST}:${port}${basePathOf(config)}/`
  streams.err(`Postern serves ${address} from ${config.POSTERN_HOME}\n`)
  if (await hasAccount(site.store.read)) return
  const code = site.release.firstVisit === 'code' ? `?code=${setUpCode(site.key)}` : ''
  streams.err(`Set up: ${address}admin/${code}\n`)
}
