import type { Cluster } from 'ioredis'
import { absentKey } from '../absent-key.ts'

type Run = (this: unknown, ...args: unknown[]) => unknown

/**
 * BullMQ's scripts use keys of jobs that they do not declare. So each script defined on this client from now on also declares the absent
 * key. It comes after the script's own keys, so the script's code never uses it.
 */
export function declareAbsentKey(client: Cluster, keyPrefix: string): void {
  const define = client.defineCommand.bind(client)
  const commands = client as unknown as Record<string, Run>
  client.defineCommand = (name, { numberOfKeys, ...script }) => {
    if (numberOfKeys === undefined) return define(name, script)
    define(name, { ...script, numberOfKeys: numberOfKeys + 1 })
    for (const command of [name, `${name}Buffer`]) {
      const run = commands[command]!
      // A pipeline borrows the function: `this` is then the pipeline.
      commands[command] = function (...args) {
        return run.apply(this, args.flat().toSpliced(numberOfKeys, 0, absentKey(keyPrefix)))
      }
    }
  }
}
