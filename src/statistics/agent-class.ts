// Classes of user agents: people by their kind of device, AI crawlers and other programs by name. Nothing else of an agent is kept.

import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import { aiCrawlers, botNames } from './agent-names.ts'
import { joined } from './parts.ts'

export type Device = 'desktop' | 'phone' | 'tablet'

export type AgentClass =
  | { readonly kind: 'person'; readonly device: Device }
  /** `name` is one of `agent-names.ts`, or `joined`. */
  | { readonly kind: 'crawler' | 'bot'; readonly name: string }
  /** Postern's own requests, such as those of the doctor. */
  | { readonly kind: 'own' }

/** No browser sends a longer one. */
const maxAgentLength = 600
const maxKept = 1000

const unnamed: AgentClass = { kind: 'bot', name: joined }
const own: AgentClass = { kind: 'own' }

const crawlerWords = Object.keys(aiCrawlers).map((name) => [name.toLowerCase(), { kind: 'crawler', name }] as const)
const botWords = botNames.map((name) => [name.toLowerCase(), { kind: 'bot', name }] as const)

/** Classifies a user agent. An agent that is missing or too long is a program's. */
export function classifyAgent(agent: string | undefined): AgentClass {
  if (agent === undefined || agent.length > maxAgentLength) return unnamed
  if (agent.startsWith('Postern')) return own
  const folded = agent.toLowerCase()
  const named = [...crawlerWords, ...botWords].find(([word]) => folded.includes(word))
  if (named) return named[1]
  return isbot(agent) ? unnamed : { kind: 'person', device: deviceOf(agent) }
}

/** A tablet with Android leaves out `Mobile`. An iPad says that it is a Mac, unless its owner asked for mobile pages. */
function deviceOf(agent: string): Device {
  if (/iPad|Tablet|PlayBook/i.test(agent)) return 'tablet'
  if (/Mobi|iPhone|iPod|Opera Mini/i.test(agent)) return 'phone'
  return /Android|Silk/i.test(agent) ? 'tablet' : 'desktop'
}

/** Creates a classifier that keeps the classes of the last thousand agents. */
export function createAgentClasses(): (agent: string | undefined) => AgentClass {
  const kept = new LRUCache<string, AgentClass>({ max: maxKept })
  return (agent) => {
    if (agent === undefined || agent.length > maxAgentLength) return unnamed
    const known = kept.get(agent)
    if (known) return known
    const found = classifyAgent(agent)
    kept.set(agent, found)
    return found
  }
}
