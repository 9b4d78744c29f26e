import { rm } from 'node:fs/promises'
import { createChildServer, type ChildServerOptions } from './child-server.ts'
import type { TestScope } from './stores.ts'

/** A server that stops on SIGTERM. When the test ends, it is killed and its folder is removed. */
export async function startTemporaryServer(t: TestScope, folder: string, options: Omit<ChildServerOptions, 'stopSignal' | 'killSignal'>) {
  const server = createChildServer({ ...options, stopSignal: 'SIGTERM', killSignal: 'SIGKILL' })
  t.teardown(async () => {
    await server.kill()
    await rm(folder, { recursive: true, force: true })
  })
  await server.start()
  return server
}
