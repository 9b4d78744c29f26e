import type { ReadClient } from '../../lib/stores/redis/observing/read-client.ts'

type Read = (command: string, ...parameters: Array<string | number>) => Promise<unknown>

/** Implements `readAll` for a client that only has `read`. */
export function readOneByOne(read: Read): ReadClient['readAll'] {
  return reads => Promise.all(reads.map(([command, ...parameters]) => read(command, ...parameters).catch((error: unknown) => error)))
}
