import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { extendDeadlines } from '../../../lib/stores/redis/clients/command-deadlines.ts'
import type { RedisClient } from '../../../lib/stores/store.ts'

/** A command of a client that only sets the timeout, as ioredis does. @returns its promise, and every error it was rejected with */
function sendCommand(timeoutMs: number) {
  const rejections: Error[] = []
  let settle = { resolve: (_value: string): void => {}, reject: (_error: Error): void => {} }
  const promise = new Promise<string>((resolve, reject) => { settle = { resolve, reject } })
  const command = {
    promise,
    setTimeout(_ms: number): void {},
    reject(error: Error): void {
      rejections.push(error)
      settle.reject(error)
    }
  }
  const send = (sent: typeof command): Promise<string> => {
    // It is sent to one node, then to another one.
    sent.setTimeout(timeoutMs)
    sent.setTimeout(timeoutMs)
    return sent.promise
  }
  const client = extendDeadlines({ isCluster: false, sendCommand: send } as unknown as RedisClient)
  return { answer: client.sendCommand(command as never) as Promise<string>, rejections, command, ...settle }
}

t.test('a command that fails by itself is rejected once, because the client of a cluster would send it again', async t => {
  const { answer, command, rejections } = sendCommand(50)
  command.reject(new Error('Connection is closed.'))
  await t.rejects(answer, { message: 'Connection is closed.' })
  await setImmediate()
  t.equal(rejections.length, 1)
})

t.test('a command without a response is rejected once', async t => {
  const { answer, rejections } = sendCommand(50)
  await t.rejects(answer, { message: 'Command timed out' })
  t.equal(rejections.length, 1)
})

t.test('a command with a response is not rejected', async t => {
  const { answer, rejections, resolve } = sendCommand(50)
  resolve('OK')
  t.equal(await answer, 'OK')
  await new Promise(resolved => { setTimeout(resolved, 100) })
  t.equal(rejections.length, 0)
})
