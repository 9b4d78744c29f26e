#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { examine, type OutsideFinding } from './commands/doctor.ts'

const USAGE = `Usage: fastify-task-dashboard doctor <url> [--user <name> --password <password>] [--json]

Says what is wrong with a mounted dashboard, and the line of configuration that mends it.
The exit code is 1 when there is an error, 2 when the command is used wrongly, else 0.
`

const SIGNS = { ok: '✓', warning: '!', error: '✗' } as const

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const options = { user: { type: 'string' }, password: { type: 'string' }, json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } as const
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
  if (command !== 'doctor' || url === undefined || !URL.canParse(url) || rest.length > 0) {
    process.stderr.write(USAGE)
    return 2
  }
  const credentials = values.user === undefined ? null : { username: values.user, password: values.password ?? '' }
  const findings = await examine(new URL(url), credentials)
  process.stdout.write(values.json ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(lineOf).join(''))
  return findings.some(({ level }) => level === 'error') ? 1 : 0
}

function lineOf({ check, level, message, fix }: OutsideFinding): string {
  return `${SIGNS[level]} ${printable(check)}: ${printable(message)}\n${fix === null ? '' : `    ${printable(fix)}\n`}`
}

/** Whoever answers at the address chose the text, and a terminal obeys what it cannot show. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd')
}
