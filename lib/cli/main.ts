#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { examine, type OutsideFinding } from './commands/doctor.ts'

const USAGE = `Usage: fastify-task-dashboard doctor <url> [--user <name> --password <password>] [--json]
       fastify-task-dashboard migrate <url> [--namespace <name>] [--role <role>]
       fastify-task-dashboard migrate --print [--namespace <name>] [--role <role>]

doctor   Reports what is wrong with a mounted dashboard, and which line of configuration fixes it.
migrate  Creates or updates the tables of a queue app in PostgreSQL, and grants a role the rights
         that the queue app needs. --print writes the SQL to standard output without connecting.

The exit code is 1 if there is an error, 2 if the command is used incorrectly, otherwise 0.
`

const SIGNS = { ok: '✓', warning: '!', error: '✗' } as const

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const options = {
    user: { type: 'string' }, password: { type: 'string' }, json: { type: 'boolean', default: false },
    print: { type: 'boolean', default: false }, namespace: { type: 'string', default: 'tasks' }, role: { type: 'string' },
    help: { type: 'boolean', default: false }
  } as const
  let parsed
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`)
    return 2
  }
  const { values, positionals: [command, url, ...rest] } = parsed
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  if (command === 'migrate') return await migrate(url, values, rest.length)
  if (command !== 'doctor' || url === undefined || !URL.canParse(url) || rest.length > 0) {
    process.stderr.write(USAGE)
    return 2
  }
  const credentials = values.user === undefined ? null : { username: values.user, password: values.password ?? '' }
  const findings = await examine(new URL(url), credentials)
  process.stdout.write(values.json ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(lineOf).join(''))
  return findings.some(({ level }) => level === 'error') ? 1 : 0
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
