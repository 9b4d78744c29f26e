import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that Linux gives to outgoing connections, which could take the port of a server that is down for a moment. */
const FROM = 10_240
const TO = 32_768
const TRIES = 20

/** A port of 127.0.0.1 that is free now. It is random, so that no other test is likely to choose it before the caller listens. */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(FROM, TO)
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    } catch (error) {
      if (tries === TRIES) throw error
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
