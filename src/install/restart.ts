// Restarts an installed service. Several processes are restarted in turn, while the others serve. Each is ready before the next
// restarts.

import type { InstalledService } from './service.ts'
import type { Step } from './step.ts'
import { instancesOf } from './units.ts'

const leftToYou: Step = { what: 'Leaves the restart to you', run: async () => undefined }

/** The steps that restart the service, or leave the restart to the operator if no command is known. */
export function restartSteps(service: InstalledService, processes: number): readonly Step[] {
  if (service.command('restart') === undefined) return [leftToYou]
  if (processes === 1) return [{ what: `Restarts the service: ${service.command('restart')}`, run: () => service.run('restart') }]
  return instancesOf(processes).map((instance) => ({
    what: `Restarts process ${instance} of ${processes}, and waits until it is ready: ${service.command('restart', instance)}`,
    run: () => restartOne(service, instance),
  }))
}

/** Restarts all processes, in turn. The undo of a plan uses it. */
export async function restartInTurn(service: InstalledService, processes: number): Promise<void> {
  if (processes === 1) await service.run('restart')
  else for (const instance of instancesOf(processes)) await restartOne(service, instance)
}

async function restartOne(service: InstalledService, instance: number): Promise<void> {
  await service.run('restart', instance)
  await service.waitReady()
}

/**
 * The step before the restarts of an upgrade. If the new release changes the database so that the old one can't run on it, this
 * stops all processes but the first. The socket stays open, so callers wait until the first process has migrated the database.
 * @param isApart returns true if the releases must not run at the same time
 */
export function stopOthersSteps(service: InstalledService, processes: number, isApart: () => Promise<boolean>): readonly Step[] {
  const others = instancesOf(processes).slice(1)
  if (others.length === 0 || service.command('stop') === undefined) return []
  return [
    {
      what: 'Stops all processes but the first, if a migration of the new release ends in -contract, so that the old release can’t run beside it',
      async run() {
        if (await isApart()) for (const instance of others) await service.run('stop', instance)
      },
    },
  ]
}
