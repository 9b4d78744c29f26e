#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { VERSION } from '../version.ts'
import { runDoctor } from './commands/doctor.ts'
import { SYNOPSIS, USAGE } from './usage.ts'

const OUTPUT = {
  say: (line: string) => process.stdout.write(`${printable(line)}\n`),
  warn: (line: string) => process.stderr.write(`${printable(line)}\n`)
}

/** The options of each command. */
const OPTIONS_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['demo', ['port']], ['doctor', ['user', 'password', 'json']], ['migrate', ['print', 'namespace', 'role']]
])
const SERVE_OPTIONS: readonly string[] =
  ['broker', 'prefix', 'queues', 'backend', 'namespace', 'host', 'port', 'user', 'password', 'manage']

// Without these, a reader of the output that is gone would end the command with a stack, perhaps in the middle of a migration.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const options = {
    user: { type: 'string' }, password: { type: 'string' }, json: { type: 'boolean', default: false },
    print: { type: 'boolean', default: false }, namespace: { type: 'string' }, role: { type: 'string' },
    broker: { type: 'string' }, prefix: { type: 'string', multiple: true }, queues: { type: 'string' }, backend: { type: 'string' },
    host: { type: 'string' }, port: { type: 'string' }, manage: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false }, version: { type: 'boolean', short: 'v', default: false }
  } as const
  let parsed
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, tokens: true })
  } catch (error) {
    return misused(parseProblem((error as Error).message))
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
  const wrong = wrongOption(command, parsed.tokens.flatMap(token => token.kind === 'option' ? [token.name] : []))
  if (wrong !== null) return misused(wrong)
  const broker = values.broker ?? process.env['TASK_DASHBOARD_BROKER']
  if (command === undefined && broker !== undefined)
    return await serveDashboard({ ...values, broker, backend: values.backend ?? process.env['TASK_DASHBOARD_BACKEND'] })
  if (command === 'demo') return url === undefined ? await demo(values.port) : misused(`demo takes no ${url}`)
  if (command === 'migrate') return await migrate(url, { ...values, namespace: values.namespace ?? 'tasks' }, rest.length)
  if (command !== 'doctor') return misused(commandProblem(command))
  if (url === undefined || !/^https?:/i.test(url) || !URL.canParse(url) || rest.length > 0)
    return misused('doctor needs the address of a mounted dashboard, for example http://localhost:3000/tasks')
  const credentials = values.user === undefined ? null : { username: values.user, password: values.password ?? '' }
  return await runDoctor(new URL(url), { credentials, isJson: values.json }, OUTPUT)
}

/** Says which option would be ignored; null if none would. */
function wrongOption(command: string | undefined, given: readonly string[]): string | null {
  const known = command === undefined ? SERVE_OPTIONS : OPTIONS_OF.get(command) ?? given
  const foreign = given.find(name => !known.includes(name))
  if (foreign !== undefined) return command === undefined ? `--${foreign} needs a command` : `--${foreign} is not an option of ${command}`
  const twice = given.find((name, index) => name !== 'prefix' && given.indexOf(name) < index)
  if (twice !== undefined) return `--${twice} is given twice`
  return given.includes('password') && !given.includes('user') ? '--password needs a user name: add --user' : null
}

/** Node's message, in the words of a command line. */
function parseProblem(message: string): string {
  const name = /'(-[^' ]*)/.exec(message)?.[1] ?? ''
  if (message.startsWith('Unknown option')) return `There is no option ${name}`
  return message.includes('does not take an argument') ? `${name} takes no value` : `${name} needs a value`
}

function commandProblem(command: string | undefined): string {
  if (command === undefined) return 'Add --broker and the URL of the server with your queues, or a command'
  // The URL may contain a password.
  return command.includes('://') ? 'Write --broker before the URL of the server with your queues' : `There is no command ${command}`
}

function misused(problem: string): number {
  OUTPUT.warn(problem)
  process.stderr.write(`\n${SYNOPSIS}\n--help explains the options.\n`)
  return 2
}

interface ServeValues {
  readonly broker: string
  readonly prefix?: readonly string[]
  readonly queues?: string
  readonly backend: string | undefined
  readonly namespace?: string
  readonly host?: string
  readonly port?: string
  readonly user?: string
  readonly password?: string
  readonly manage: boolean
}

async function serveDashboard(values: ServeValues): Promise<number> {
  const { prefix: prefixes = [], queues, namespace, host = '127.0.0.1', port = '3000', user, manage } = values
  const password = values.password ?? process.env.TASK_DASHBOARD_PASSWORD
  const [broker, backend] = [readSecret(values.broker), readSecret(values.backend)]
  for (const read of [broker, backend]) if (read instanceof Error) return misused(read.message)
  const prefix = prefixes.find(each => each === '')
  const empty = Object.entries({ broker, backend, namespace, host, queues, user, prefix }).find(([, value]) => value === '')
  if (empty !== undefined) return misused(`--${empty[0]} is empty (is an environment variable not set?)`)
  if (!isPort(port)) return misused('--port must be a number up to 65535')
  if (user !== undefined && !password) return misused('--user needs a password: set TASK_DASHBOARD_PASSWORD, or add --password')
  const { isLoopback, serve } = await import('./commands/serve.ts')
  if (user === undefined && !isLoopback(host))
    return misused(`--host ${host} is reached from other machines: add --user, and a password in TASK_DASHBOARD_PASSWORD`)
  return await serve({
    broker: broker as string, prefixes: [...new Set(prefixes)],
    queues: queues === undefined ? null : queues.split(',').map(name => name.trim()),
    backend: (backend as string | undefined) ?? null, namespace: namespace ?? null, manage, host, port: Number(port),
    auth: user === undefined ? null : { username: user, password: password! }
  }, OUTPUT)
}

/** `@file` and `@-` say where a URL with a password is stored, because others can see the arguments of a process. */
function readSecret(value: string | undefined): string | undefined | Error {
  if (!value?.startsWith('@')) return value
  const file = value.slice(1)
  try {
    return readFileSync(file === '-' ? process.stdin.fd : file, 'utf8').trim()
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    return new Error(`${file === '-' ? 'Standard input' : file} cannot be read (${code})`)
  }
}

function isPort(port: string): boolean {
  return /^\d{1,5}$/.test(port) && Number(port) <= 65_535
}

async function demo(port: string = '3000'): Promise<number> {
  if (!isPort(port)) return misused('--port must be a number up to 65535')
  const { serveDemo } = await import('./commands/demo.ts')
  return await serveDemo(Number(port), OUTPUT)
}

async function migrate(
  url: string | undefined, { print, namespace, role }: { print: boolean; namespace: string; role?: string }, surplus: number
): Promise<number> {
  if ((url === undefined) !== print || surplus > 0) return misused('migrate needs either the URL of a PostgreSQL server or --print')
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(namespace))
    return misused('--namespace must be 1 to 40 letters, digits and _, and not start with a digit')
  if (role !== undefined && !/^[^\0]{1,63}$/.test(role)) return misused('--role must have 1 to 63 characters')
  const { migrateTables } = await import('./commands/migrate.ts')
  const { text, isError } = await migrateTables({ url: url ?? null, namespace, role: role ?? null })
  if (isError) process.stderr.write(printable(text.trimEnd()) + '\n')
  else process.stdout.write(text)
  return isError ? 1 : 0
}

/** The text comes from an untrusted server. A terminal would act on its control characters. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd')
}
