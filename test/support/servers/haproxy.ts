import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findHaproxy } from './binaries.ts'
import type { TestServer } from './child-server.ts'
import { freePort } from './free-port.ts'
import { answersTcp } from '../network/answers-tcp.ts'
import type { TestScope } from './stores.ts'
import { startTemporaryServer } from './temporary-server.ts'

/** A real HAProxy in front of a datastore that cuts connections idle for `idleMs`; removed when the test ends. */
export async function startHaproxy(t: TestScope, target: string, { idleMs = 1_000 }: { idleMs?: number } = {}): Promise<TestServer> {
  const command = findHaproxy()
  if (command === null) throw new Error('HAProxy is not installed: apt-get install haproxy')
  const folder = await mkdtemp(join(tmpdir(), 'tasks-haproxy-'))
  const port = await freePort()
  const url = new URL(target)
  await writeFile(join(folder, 'haproxy.cfg'), `
defaults
  mode tcp
  timeout connect 2s
  timeout client ${idleMs}ms
  timeout server ${idleMs}ms
listen store
  bind 127.0.0.1:${port}
  server one ${url.hostname}:${url.port}
`)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  const server = await startTemporaryServer(t, folder, {
    command,
    // Without -W there is no master process, which would not pass signals on.
    args: ['-db', '-f', join(folder, 'haproxy.cfg')],
    isReady: () => answersTcp(port)
  })
  return { ...server, port, url: url.href }
}
