import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPostgresFolder } from './binaries.ts'
import type { Certificates } from './certificates.ts'
import { createChildServer, type TestServer } from './child-server.ts'
import { freePort } from './free-port.ts'
import { oncePerRun } from '../once-per-run.ts'

const run = promisify(execFile)

export interface PostgresServerOptions {
  /** Settings of `postgres`, for example `{ max_connections: '20' }`. */
  settings?: Readonly<Record<string, string>>
  /** Also accepts TLS, with this server certificate. */
  certificates?: Certificates
  /** Lines of pg_hba.conf instead of "everybody, without a password", for example `hostssl all all all cert`. */
  access?: readonly string[]
  /** Starts as a hot standby of the server at this URL. */
  standbyOf?: string
}

export interface PostgresServer extends TestServer {
  /** The folder of its Unix socket. */
  readonly socketFolder: string
}

/** Starts a separate PostgreSQL. `remove()` stops it and deletes its data. */
export async function createPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer & { remove(): Promise<void> }> {
  const programs = findPostgresFolder()
  if (programs === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  // PostgreSQL refuses to run as root; Debian's package creates the user `postgres`.
  const user = process.getuid?.() === 0 ? 'postgres' : undefined
  const folder = await mkdtemp(join(tmpdir(), 'tasks-postgres-'))
  const data = join(folder, 'data')
  if (user !== undefined) {
    await run('chown', [user, folder])
    await chmod(folder, 0o700)
  }
  if (options.standbyOf === undefined) {
    await createCluster(programs, user, data)
  } else {
    await runAs(
      user, join(programs, 'pg_basebackup'),
      ['-D', data, '-d', options.standbyOf, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
    )
  }
  if (options.access !== undefined) await writeFile(join(data, 'pg_hba.conf'), options.access.map(line => `${line}\n`).join(''))
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: '200',
    // The tests crash processes, never the machine, so nothing needs to reach the disk.
    fsync: 'off',
    ...options.certificates && await tlsSettings(options.certificates, folder, user),
    ...options.settings
  }
  const server = createChildServer({
    command: join(programs, 'postgres'),
    args: ['-D', data, '-p', String(port), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    ...(user === undefined ? {} : { user }),
    stopSignal: 'SIGINT',
    // Immediate shutdown: like a crash, but its processes release the shared memory, so it can start again at once.
    killSignal: 'SIGQUIT',
    isReady: () => answersStartup(port)
  })
  await server.start()
  return {
    ...server,
    port,
    url: `postgres://tasks@127.0.0.1:${port}/postgres`,
    socketFolder: folder,
    async remove() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Creating a cluster takes 2 s, copying one a tenth of that: the files of a run copy the first. */
async function createCluster(programs: string, user: string | undefined, data: string): Promise<void> {
  const init = (folder: string): Promise<unknown> => runAs(user, join(programs, 'initdb'), [
    '-D', folder, '-U', 'tasks', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync', '--no-instructions'
  ])
  if (process.env['TASKS_TEST_SHARED'] === undefined) return void await init(data)
  const made = await oncePerRun('postgres-cluster', async folder => {
    if (user !== undefined) await run('chown', [user, folder])
    await init(join(folder, 'data'))
  })
  await run('cp', ['-a', join(made, 'data'), data])
}

/** PostgreSQL insists that only its own user can read the key. */
async function tlsSettings({ files }: Certificates, folder: string, user: string | undefined): Promise<Record<string, string>> {
  const key = join(folder, 'server.key')
  await copyFile(files.serverKey, key)
  await chmod(key, 0o600)
  if (user !== undefined) await run('chown', [user, key])
  return { ssl: 'on', ssl_cert_file: files.serverCert, ssl_key_file: key, ssl_ca_file: files.ca }
}

function runAs(user: string | undefined, command: string, args: readonly string[]): Promise<unknown> {
  const options = { cwd: '/' }
  return user === undefined ? run(command, args, options) : run('runuser', ['-u', user, '--', command, ...args], options)
}

// Sends a startup message: an authentication request in return (R) means ready, an error (E) still starting.
function answersStartup(port: number): Promise<boolean> {
  const parameters = Buffer.from('user\0tasks\0database\0postgres\0\0')
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + parameters.length, 0)
  head.writeInt32BE(3 << 16, 4)
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat([head, parameters])))
    const finish = (ready: boolean): void => { socket.destroy(); resolve(ready) }
    socket.setTimeout(2000, () => finish(false))
    socket.once('error', () => finish(false))
    // 28000 (invalid authorization): the server is up but wants TLS.
    socket.once('data', data => finish(data.toString('latin1', 0, 1) === 'R' || data.includes('C28000')))
  })
}
