import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answersTcp } from '../network/answers-tcp.ts'
import { findPgbouncer } from './binaries.ts'
import type { TestServer } from './child-server.ts'
import { freePort } from './free-port.ts'
import type { TestScope } from './stores.ts'
import { startTemporaryServer } from './temporary-server.ts'

export interface PgbouncerOptions {
  /** Default `transaction`. */
  poolMode?: 'transaction' | 'session' | 'statement'
  /** More settings of the section [pgbouncer], for example `{ max_client_conn: '10' }`. Default: PgBouncer's own, with a pool of 20. */
  settings?: Readonly<Record<string, string>>
}

/** A real PgBouncer in front of a PostgreSQL, for all of its databases and users, without passwords; removed when the test ends. */
export async function startPgbouncer(
  t: TestScope, target: string, { poolMode = 'transaction', settings = {} }: PgbouncerOptions = {}
): Promise<TestServer> {
  const command = findPgbouncer()
  if (command === null) throw new Error('PgBouncer is not installed: apt-get install pgbouncer')
  const folder = await mkdtemp(join(tmpdir(), 'tasks-pgbouncer-'))
  // PgBouncer refuses to run as root, and reads its files as the user it runs as.
  const user = process.getuid?.() === 0 ? 'postgres' : undefined
  await chmod(folder, 0o755)
  const port = await freePort()
  const url = new URL(target)
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: poolMode,
    logfile: '',
    ...settings
  }
  await writeFile(join(folder, 'pgbouncer.ini'), [
    '[databases]',
    `* = host=${url.hostname} port=${url.port} user=${url.username || 'tasks'}`,
    '[pgbouncer]',
    ...Object.entries(all).filter(([, value]) => value !== '').map(([name, value]) => `${name} = ${value}`),
    ...(all.unix_socket_dir === '' ? ['unix_socket_dir ='] : []),
    ''
  ].join('\n'))
  const server = await startTemporaryServer(t, folder, {
    command,
    args: ['-q', join(folder, 'pgbouncer.ini')],
    ...(user === undefined ? {} : { user }),
    isReady: () => answersTcp(port)
  })
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return { ...server, port, url: url.href }
}
