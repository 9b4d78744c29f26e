#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { VERSION } from '../version.ts'
import { examine, type OutsideFinding } from './commands/doctor.ts'

const USAGE = `Usage: fastify-task-dashboard --broker <url> [--prefix <prefix>]… [--queues <a,b>] [--backend <url>]
                              [--port <port>] [--host <host>] [--user <name>] [--manage]
       fastify-task-dashboard doctor <url> [--user <name> --password <password>] [--json]
       fastify-task-dashboard migrate <url> [--namespace <name>] [--role <role>]
       fastify-task-dashboard migrate --print [--namespace <name>] [--role <role>]

--broker  Serves a dashboard of the BullMQ queues on a Redis server, which it only reads
          unless you add --manage.
          --prefix   BullMQ's prefix of their keys; several are possible. Default bull.
          --queues   Only these queues. Default: all under the prefix.
          --backend  Where the history is kept. Default: in memory, until the command ends.
          --manage   Allows retry, cancel, pause and resume.
          --port     Default 3000. --host: default 127.0.0.1, which only this machine reaches.
          --user     Asks everybody for this name and the password in the environment variable
                     TASK_DASHBOARD_PASSWORD, or after --password. Needed for any other --host.
doctor    Reports what is wrong with a mounted dashboard, and which line of configuration fixes it.
migrate   Creates or updates the tables of a queue app in PostgreSQL, and grants a role the rights
          that the queue app needs. --print writes the SQL to standard output without connecting.
--help, --version

The exit code is 1 if there is an error, 2 if the command is used incorrectly, otherwise 0.
`

const SIGNS = { ok: '✓', warning: '!', error: '✗' } as const

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const options = {
    user: { type: 'string' }, password: { type: 'string' }, json: { type: 'boolean', default: false },
    print: { type: 'boolean', default: false }, namespace: { type: 'string', default: 'tasks' }, role: { type: 'string' },
    broker: { type: 'string' }, prefix: { type: 'string', multiple: true }, queues: { type: 'string' }, backend: { type: 'string' },
    host: { type: 'string' }, port: { type: 'string' }, manage: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }, version: { type: 'boolean', default: false }
  } as const
  let parsed
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    return misused((error as Error).message)
  }
  const { values, positionals: [command, url, ...rest] } = parsed
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  if (values.version) {
    process.stdout.write(`${VERSION}\n`)
    return 0
  }
  if (command === undefined && values.broker !== undefined) return await serveDashboard({ ...values, broker: values.broker })
  if (command === 'migrate') return await migrate(url, values, rest.length)
  if (command !== 'doctor' || url === undefined || !URL.canParse(url) || rest.length > 0) return misused(null)
  const credentials = values.user === undefined ? null : { username: values.user, password: values.password ?? '' }
  const findings = await examine(new URL(url), credentials)
  process.stdout.write(values.json ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(lineOf).join(''))
  return findings.some(({ level }) => level === 'error') ? 1 : 0
}

function misused(problem: string | null): number {
  process.stderr.write(problem === null ? USAGE : `${problem}\n\n${USAGE}`)
  return 2
}

interface ServeValues {
  readonly broker: string
  readonly prefix?: readonly string[]
  readonly queues?: string
  readonly backend?: string
  readonly host?: string
  readonly port?: string
  readonly user?: string
  readonly password?: string
  readonly manage: boolean
}

async function serveDashboard(values: ServeValues): Promise<number> {
  const { broker, prefix: prefixes = ['bull'], queues, backend, host = '127.0.0.1', port = '3000', user, manage } = values
  const password = values.password ?? process.env.TASK_DASHBOARD_PASSWORD
  const empty = Object.entries({ broker, backend, host, queues, user }).find(([, value]) => value === '')
  if (empty !== undefined) return misused(`--${empty[0]} is empty (is an environment variable not set?)`)
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return misused('--port must be a number up to 65535')
  if (user !== undefined && !password) return misused('--user needs a password: set TASK_DASHBOARD_PASSWORD, or add --password')
  const { isLoopback, serve } = await import('./commands/serve.ts')
  if (user === undefined && !isLoopback(host))
    return misused(`--host ${host} is reached from other machines: add --user, and a password in TASK_DASHBOARD_PASSWORD`)
  return await serve({
    broker, prefixes: [...new Set(prefixes)], queues: queues === undefined ? null : queues.split(',').map(name => name.trim()),
    backend: backend ?? null, manage, host, port: Number(port), auth: user === undefined ? null : { username: user, password: password! }
  }, {
    say: line => process.stdout.write(`${printable(line)}\n`),
    warn: line => process.stderr.write(`${printable(line)}\n`)
  })
}

async function migrate(
  url: string | undefined, { print, namespace, role }: { print: boolean; namespace: string; role?: string }, surplus: number
): Promise<number> {
  if ((url === undefined) !== print || surplus > 0 || !/^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(namespace) ||
    role !== undefined && !/^[^\0]{1,63}$/.test(role)) {
    process.stderr.write(USAGE)
    return 2
  }
  const { migrateTables } = await import('./commands/migrate.ts')
  const { text, isError } = await migrateTables({ url: url ?? null, namespace, role: role ?? null })
  if (isError) process.stderr.write(printable(text.trimEnd()) + '\n')
  else process.stdout.write(text)
  return isError ? 1 : 0
}

function lineOf({ check, level, message, fix }: OutsideFinding): string {
  return `${SIGNS[level]} ${printable(check)}: ${printable(message)}\n${fix === null ? '' : `    ${printable(fix)}\n`}`
}

/** The text comes from an untrusted server. A terminal would act on its control characters. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd')
}
