// How each well-known client connects, as data for the page "Connect an assistant". A test holds that the document `connecting-clients` has every
// command and path of it.

/** What to enter, run or write into a file. `ADDRESS` stands for the address of the site. */
export interface ClientSteps {
  readonly id: string
  readonly name: string
  readonly steps: readonly string[]
  /** The name of a text to copy, and the text. */
  readonly copy?: { readonly what: string; readonly text: string }
  /** What is known to go wrong, or must be so. */
  readonly note?: string
  /** The client runs on a server of its vendor, so the site must be public. */
  readonly hosted?: boolean
}

const addressItself = { what: 'the address', text: 'ADDRESS' } as const

export const clients: readonly ClientSteps[] = [
  {
    id: 'claude',
    name: 'Claude (claude.ai, Claude Desktop, phone)',
    steps: [
      'Go to Settings, Connectors, Add custom connector.',
      'Enter a name and this address, and nothing under advanced settings.',
      'Choose Connect.',
    ],
    copy: addressItself,
    note: 'In an organisation, an owner adds the connector first, and each member signs in separately.',
    hosted: true,
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    steps: ['Run this command in a shell.', 'Enter /mcp inside Claude Code and choose Authenticate.'],
    copy: { what: 'the command', text: 'claude mcp add --transport http my-site ADDRESS' },
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    steps: [
      'Turn on developer mode in the settings of apps and connectors.',
      'Create a connector with this address, and OAuth as its authentication.',
    ],
    copy: addressItself,
    note: 'Your ChatGPT plan decides whether you may do so, and whether the connector may write.',
    hosted: true,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    steps: ['Write this into ~/.cursor/mcp.json.', 'Cursor then shows that the server needs a login.'],
    copy: { what: 'the configuration', text: '{"mcpServers": {"my-site": {"url": "ADDRESS"}}}' },
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    steps: ['Run the command MCP: Add Server, choose HTTP, and enter the address.', 'Or write this into .vscode/mcp.json.'],
    copy: { what: 'the configuration', text: '{"servers": {"my-site": {"type": "http", "url": "ADDRESS"}}}' },
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    steps: ['Run this command in a shell.', 'Then enter /mcp auth my-site in Gemini.'],
    copy: { what: 'the command', text: 'gemini mcp add --transport http my-site ADDRESS' },
  },
  {
    id: 'mcp-remote',
    name: 'Clients that can only start programs',
    steps: ['Write this into the configuration of the client. It starts mcp-remote, which signs in for the client.'],
    copy: {
      what: 'the configuration',
      text: '{"mcpServers": {"my-site": {"command": "npx", "args": ["-y", "mcp-remote", "ADDRESS"]}}}',
    },
  },
  {
    id: 'other',
    name: 'Any other client, or a program of yours',
    steps: [
      'Enter the address as a remote MCP server with streamable HTTP. Leave client id and client secret empty.',
      'A client that can’t sign in takes a token instead, as this header.',
    ],
    copy: { what: 'the header', text: 'Authorization: Bearer pst_…' },
  },
]

/** A text with the address of the site. */
export const forSite = (text: string, address: string): string => text.replaceAll('ADDRESS', address)
