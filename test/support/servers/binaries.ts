import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs on this machine that the tests run; each is null when it is not installed. */
export function findRedisServer(): string | null {
  return findProgram('redis-server') ?? findProgram('valkey-server')
}

/** The folder with `initdb` and `postgres`, newest version first: Debian keeps it out of PATH. */
export function findPostgresFolder(): string | null {
  const candidates = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/homebrew/opt']
    .flatMap(folder => listFolder(folder).sort(byNumberDescending).map(version => join(folder, version, 'bin')))
    .concat('/usr/local/pgsql/bin', (process.env.PATH ?? '').split(delimiter))
  return candidates.find(folder => isExecutable(join(folder, 'postgres')) && isExecutable(join(folder, 'initdb'))) ?? null
}

export function findNginx(): string | null {
  return findProgram('nginx')
}

export function findPgbouncer(): string | null {
  return findProgram('pgbouncer')
}

export function findHaproxy(): string | null {
  return findProgram('haproxy')
}

export function findOpenssl(): string | null {
  return findProgram('openssl')
}

export function findProgram(name: string): string | null {
  // A plain Debian user has no sbin in PATH, but nginx is installed there.
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/local/bin', '/usr/bin', '/usr/local/sbin', '/usr/sbin', '/sbin')
  const folder = folders.find(candidate => candidate !== '' && isExecutable(join(candidate, name)))
  return folder === undefined ? null : join(folder, name)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function byNumberDescending(a: string, b: string): number {
  return (Number.parseFloat(b) || 0) - (Number.parseFloat(a) || 0)
}
