// Steps that need a real machine: users, units, its web server. Below a root they are printed and left out.

import type { Places } from './places.ts'
import { demandTool, runTool } from './run-tool.ts'
import type { Step } from './step.ts'

interface MachineStep {
  /** The program and its arguments. They don't pass through a shell. */
  readonly words: readonly string[]
  /** Runs first. The step is needed only if this fails. */
  readonly unless?: readonly string[]
  /** Runs first. The step is needed only if this succeeds. */
  readonly where?: readonly string[]
}

/** The step that runs a program. It has no undo. */
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
