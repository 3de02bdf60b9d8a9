// The steps by which each well-known client connects, as data for the page "Connect an assistant". A test checks that the document
// `connecting-clients` contains every command and path in this file.

import type { MessageKey, Words } from '../words.ts'

/** The steps for one client: what to enter, run or write into a file. `ADDRESS` is a placeholder for the address of the site. */
export interface ClientSteps {
  readonly id: string
  /** Product names are the same in every language. */
  readonly name: string | { readonly key: MessageKey }
  readonly steps: readonly MessageKey[]
  /** The file that a step names. */
  readonly file?: string
  /** The name of a text to copy, and the text. */
  readonly copy?: { readonly what: MessageKey; readonly text: string }
  /** A known problem or requirement. */
  readonly note?: MessageKey
  /** True if the client runs on a server of its vendor, so the site must be public. */
  readonly hosted?: boolean
}

const addressItself = { what: 'connections.the_address', text: 'ADDRESS' } as const

export const clients: readonly ClientSteps[] = [
  {
    id: 'claude',
    name: { key: 'connections.claude' },
    steps: ['connections.claude_step_1', 'connections.claude_step_2', 'connections.claude_step_3'],
    copy: addressItself,
    note: 'connections.claude_note',
    hosted: true,
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    steps: ['connections.run_command', 'connections.claude_code_step_2'],
    copy: { what: 'connections.the_command', text: 'claude mcp add --transport http my-site ADDRESS' },
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    steps: ['connections.chatgpt_step_1', 'connections.chatgpt_step_2'],
    copy: addressItself,
    note: 'connections.chatgpt_note',
    hosted: true,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    steps: ['connections.cursor_step_1', 'connections.cursor_step_2'],
    file: '~/.cursor/mcp.json',
    copy: { what: 'connections.the_configuration', text: '{"mcpServers": {"my-site": {"url": "ADDRESS"}}}' },
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    steps: ['connections.vscode_step_1', 'connections.vscode_step_2'],
    file: '.vscode/mcp.json',
    copy: { what: 'connections.the_configuration', text: '{"servers": {"my-site": {"type": "http", "url": "ADDRESS"}}}' },
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    steps: ['connections.run_command', 'connections.gemini_step_2'],
    copy: { what: 'connections.the_command', text: 'gemini mcp add --transport http my-site ADDRESS' },
  },
  {
    id: 'mcp-remote',
    name: { key: 'connections.mcp_remote' },
    steps: ['connections.mcp_remote_step'],
    copy: {
      what: 'connections.the_configuration',
      text: '{"mcpServers": {"my-site": {"command": "npx", "args": ["-y", "mcp-remote", "ADDRESS"]}}}',
    },
  },
  {
    id: 'other',
    name: { key: 'connections.other_client' },
    steps: ['connections.other_step_1', 'connections.other_step_2'],
    copy: { what: 'connections.the_header', text: 'Authorization: Bearer pst_…' },
  },
]

/** Puts the address of the site into a text. */
export const forSite = (text: string, address: string): string => text.replaceAll('ADDRESS', address)

export const clientName = (t: Words, { name }: ClientSteps): string => (typeof name === 'string' ? name : t(name.key))

/** The steps of a client in the language of the page. */
export const stepsOf = (t: Words, { steps, file = '' }: ClientSteps): readonly string[] => steps.map((step) => t(step, { file }))
