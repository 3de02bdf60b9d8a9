// What only the machine itself can do: users, units, its web server. Below a root each such step is told and left out.

import type { Places } from './places.ts'
import { demandTool, runTool } from './run-tool.ts'
import type { Step } from './step.ts'

interface MachineStep {
  /** What is run; the shell has no part in it. */
  readonly words: readonly string[]
  /** Run first: only where it fails is there something to do. */
  readonly unless?: readonly string[]
  /** Run first: only where it succeeds is there something to do. */
  readonly where?: readonly string[]
}

/** The step that runs a program of the machine's; it isn't taken back. */
export function machineStep({ root }: Places, { words, unless, where }: MachineStep): Step {
  const command = words.join(' ')
  if (root !== '') return { what: `Left out below ${root}: ${command}`, run: async () => undefined }
  return {
    what: `Runs ${command}${unless ? `, unless ${unless.join(' ')}` : ''}${where ? `, where ${where.join(' ')}` : ''}`,
    async run() {
      if (unless && (await succeeds(unless))) return
      if (where && !(await succeeds(where))) return
      await demandTool(words)
    },
  }
}

async function succeeds(words: readonly string[]): Promise<boolean> {
  return (await runTool(words)).code === 0
}
