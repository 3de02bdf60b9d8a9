// The program of a plugin's process. It removes dangerous globals (`host/wall.ts`), loads and activates the plugin, and runs its
// functions until the site ends it. The plugin shares this program's memory and could rewrite it, so it enforces no rule.

import type { PluginModule } from './api.ts'
import { SiteQuestions } from './host/asks.ts'
import { listen, send, sendText, type ToPlugin } from './host/channel.ts'
import { die } from './host/dying.ts'
import { loadModule } from './host/modules.ts'
import { PluginFailure, tellFailure } from './host/plugin-failure.ts'
import { makePostern, Registrations } from './host/postern.ts'
import { plainConsole, plainProcess, stream } from './host/printing.ts'
import { duringRun } from './host/runs.ts'
import { wallOff } from './host/wall.ts'

type Start = Extract<ToPlugin, { kind: 'start' }>
type Run = Extract<ToPlugin, { kind: 'run' }>

const end: () => never = process.exit.bind(process, 0)
const registrations = new Registrations()
let asks = new SiteQuestions(1, 0)
let folder = '/'
let maxMessageBytes = 0

process.on('uncaughtException', (error) => die('threw', error, folder))
process.on('unhandledRejection', (error) => die('threw', error, folder))
wallOff({ console: plainConsole, process: plainProcess, stream })
listen(hear, end)
send({ kind: 'ready' })

function hear(message: ToPlugin): void {
  switch (message.kind) {
    case 'start':
      void activate(message)
      break
    case 'run':
      void run(message)
      break
    case 'answer':
      asks.hear(message)
      break
    case 'end':
      end()
  }
}

async function activate(start: Start): Promise<void> {
  ;({ folder, maxMessageBytes } = start)
  asks = new SiteQuestions(start.maxAsks, maxMessageBytes)
  try {
    const module = (await loadModule(folder, start.main)) as Partial<PluginModule>
    if (typeof module.activate !== 'function') throw new Error(`${start.main} exports no function “activate”.`)
    await module.activate(makePostern(start, registrations, asks))
    send({ kind: 'activated', registered: registrations.close() })
  } catch (error) {
    die('load', error, folder)
  }
}

async function run({ run, list, index, args }: Run): Promise<void> {
  const fn = registrations.find(list, index)
  try {
    if (fn === undefined) throw new Error(`The plugin registered no ${list} ${index}.`)
    const value = await duringRun(run, () => fn(...args))
    sendText(resultText(run, value))
  } catch (error) {
    if (!(error instanceof PluginFailure)) die('threw', error, folder)
    send({ kind: 'failure', run, failure: tellFailure(error) })
  }
}

function resultText(run: number, value: unknown): string {
  const text = JSON.stringify({ kind: 'result', run, value })
  if (Buffer.byteLength(text) <= maxMessageBytes) return text
  throw new PluginFailure('too_large', `The plugin's answer is larger than the limit of ${maxMessageBytes} bytes.`)
}
