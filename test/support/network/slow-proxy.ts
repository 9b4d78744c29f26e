import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestScope } from '../servers/stores.ts'

/** A proxy between a store and its clients that delays every round trip. */
export interface SlowProxy {
  /** The URL of the store through the proxy. */
  readonly url: string
  /** Milliseconds added to every round trip from now on; data already under way keeps its delay. Default 0. */
  roundTripMs: number
  /** Breaks the next connection that sends something containing the text, after the store has received it. Resolves when it breaks. */
  breakOnce(text: string): Promise<void>
  /** Breaks every connection, in both directions. */
  breakAll(): void
  /**
   * Lets the store receive this many more messages. Its response to the last one is lost, and then the store is unreachable until
   * `comeBack`. Resolves when the store becomes unreachable.
   */
  leaveAfter(messages: number): Promise<void>
  comeBack(): void
}

/** Delays work, without changing its order: after the delay was reduced, nothing overtakes what is under way. */
function inOrder(delayMs: () => number): (work: () => void) => void {
  let underWay = 0
  let last = Promise.resolve()
  return work => {
    if (delayMs() === 0 && underWay === 0) return work()
    underWay++
    const due = sleep(delayMs())
    last = last.then(async () => {
      await due
      underWay--
      work()
    })
  }
}

/** A TCP proxy in front of a store; closed when the test ends. */
export async function startSlowProxy(t: TestScope, storeUrl: string): Promise<SlowProxy> {
  const target = new URL(storeUrl)
  const sockets = new Set<Socket>()
  let leaving: { left: number; done(): void } | null = null
  let isAway = false
  let trigger: { readonly text: string; done(): void } | null = null

  const server = createServer(client => {
    if (isAway) return void client.destroy()
    const store = connect(Number(target.port), target.hostname)
    for (const socket of [client, store]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    forward(client, store, chunk => {
      if (leaving !== null && --leaving.left === 0) {
        isAway = true
        leaving.done()
        leaving = null
        proxy.breakAll()
      }
      if (trigger === null || !chunk.includes(trigger.text)) return
      const { done } = trigger
      trigger = null
      // The store receives what was sent, and its response is lost.
      client.destroy()
      done()
    })
    forward(store, client, () => {})
  })

  function forward(from: Socket, to: Socket, seen: (chunk: Buffer) => void): void {
    const later = inOrder(() => proxy.roundTripMs / 2)
    from.on('data', chunk => later(() => {
      if (!to.destroyed) to.write(chunk)
      seen(chunk)
    }))
    from.on('close', () => later(() => { to.destroySoon() }))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  })

  const url = new URL(storeUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const proxy: SlowProxy = {
    url: url.href,
    roundTripMs: 0,
    breakOnce: text => new Promise(done => { trigger = { text, done } }),
    // What was written to the store still gets there.
    breakAll() { for (const socket of sockets) socket.destroy() },
    leaveAfter: messages => new Promise(done => { leaving = { left: messages, done } }),
    comeBack() { isAway = false }
  }
  return proxy
}
