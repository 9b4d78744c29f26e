import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** Below the ports that Linux gives to outgoing connections, which could take the port of a server that is down for a moment. */
const FROM = 10_240
const TO = 32_768
const MAX_TRIES = 20

/**
 * A port of 127.0.0.1 that is free now. No other test of the run gets it, even while its server is down. A file that runs alone gets
 * a random one.
 */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(FROM, TO)
    if (!await claim(port)) continue
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    } catch (error) {
      if (tries === MAX_TRIES) throw error
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}

async function claim(port: number): Promise<boolean> {
  const shared = process.env['TASKS_TEST_SHARED']
  return shared === undefined || writeFile(join(shared, `port-${port}`), '', { flag: 'wx' }).then(() => true, () => false)
}
