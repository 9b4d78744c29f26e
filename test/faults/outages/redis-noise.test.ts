import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { createCertificates } from '../../support/servers/certificates.ts'
import { closedPort } from '../../support/servers/closed-port.ts'
import { EXTENSION, LOADER } from '../../support/loader.ts'
import { startRedis } from '../../support/servers/stores.ts'

const run = promisify(execFile)

/** Starts a queue app on each URL, in one separate process. @returns everything printed, line by line */
async function printed(urls: readonly string[]): Promise<string[]> {
  const { stdout, stderr } = await run(process.execPath, [...LOADER, '--input-type=module', '-e', `
    const { QueueApp } = await import('./lib/index${EXTENSION}')
    for (const broker of process.env.URLS.split(' ')) {
      const queueApp = QueueApp.fromUrls({ broker, onError: error => console.log('onError: ' + error.message) })
      for (const name of ['one', 'two']) queueApp.task(name, async () => {})
      try {
        await queueApp.start()
        await queueApp.enqueue('one', [])
        console.log('started')
      } catch (error) {
        console.log('failed: ' + error.code)
      }
      await queueApp.stop()
    }
  `], { env: { ...process.env, URLS: urls.join(' '), NODE_NO_WARNINGS: '' } })
  return `${stdout}${stderr}`.split('\n').filter(line => line !== '')
}

t.test('a failed start prints one error and nothing else, and an eviction policy is warned about once', async t => {
  const server = await startRedis(t, { password: 'right', databases: 1 })
  const encrypted = await startRedis(t, { tls: { certificates: await createCertificates(t) } })
  const evicting = await startRedis(t, { args: ['--maxmemory-policy', 'allkeys-lru'] })
  const lines = await printed([
    `redis://127.0.0.1:${await closedPort(t)}`, server.url.replace('right', 'wrong'), `${server.url}/7`, `redis://127.0.0.1:${encrypted.port}`,
    encrypted.url, evicting.url
  ])
  t.same(lines.slice(0, 5), ['UNREACHABLE', 'UNREACHABLE', 'UNSUITABLE', 'UNREACHABLE', 'UNREACHABLE'].map(code => `failed: STORE_${code}`))
  t.match(lines.slice(5), [/^onError: .*allkeys-lru/, 'started'])
  t.equal(lines.length, 7, lines.join('\n'))
})
