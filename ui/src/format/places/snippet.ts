export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Below the mount and encoded, for example `api/schedules/cron`. */
  readonly path: string
  /** The path as the typed client writes it, if it has parameters. */
  readonly pattern?: { readonly path: string; readonly parameters: Readonly<Record<string, string>> }
  /** The version to change. The server refuses if there is a newer one. */
  readonly ifMatch?: string
  /** Idempotency-Key: a call that is sent twice is carried out once. */
  readonly key?: string
  /** Audit-Reason: why. */
  readonly reason?: string
  readonly body?: unknown
}

export function toCurl(base: string, call: Call): string {
  const lines = [`curl${call.method === 'GET' ? '' : ` -X ${call.method}`} ${shellQuote(base + call.path)}`]
  lines.push(...Object.entries(headersOf(call)).map(([name, value]) => `  -H ${shellQuote(`${name}: ${value}`)}`))
  if (call.body !== undefined) lines.push(`  -d ${shellQuote(JSON.stringify(call.body))}`)
  return lines.join(' \\\n')
}

export function toFetch(base: string, call: Call): string {
  const address = quote(base + call.path)
  if (call.body === undefined) return `const response = await fetch(${address})\nconst answer = await response.json()`
  return [
    `const response = await fetch(${address}, {`,
    `  method: ${quote(call.method)},`,
    `  headers: { ${Object.entries(headersOf(call)).map(([name, value]) => `${quote(name)}: ${quote(value)}`).join(', ')} },`,
    `  body: JSON.stringify(${indent(JSON.stringify(call.body, null, 2))})`,
    '})',
    'const answer = await response.json()'
  ].join('\n')
}

export function toTypedClient(base: string, call: Call): string {
  const { pattern } = call
  const headers = ownHeadersOf(call)
  const parameters = [
    pattern && `path: ${toLiteral(pattern.parameters)}`, Object.keys(headers).length > 0 && `header: ${toLiteral(headers)}`
  ].filter(
    each => typeof each === 'string'
  )
  const options = [
    parameters.length > 0 && `  params: { ${parameters.join(', ')} }`,
    call.body !== undefined && `  body: ${indent(JSON.stringify(call.body, null, 2))}`
  ].filter(option => typeof option === 'string')
  return [
    "import { createTaskDashboardClient } from 'fastify-task-dashboard/client'",
    '',
    `const client = createTaskDashboardClient({ baseUrl: ${quote(base)} })`,
    'const { data, error } = await ' +
      `client.${call.method}(${quote(pattern?.path ?? `/${call.path}`)}${options.length === 0 ? '' : `, {\n${options.join(',\n')}\n}`})`
  ].join('\n')
}

function headersOf(call: Call): Record<string, string> {
  return { ...(call.body === undefined ? {} : { 'content-type': 'application/json' }), ...ownHeadersOf(call) }
}

function ownHeadersOf({ ifMatch, key, reason }: Call): Record<string, string> {
  return {
    ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(reason === undefined ? {} : { 'audit-reason': encodeURIComponent(reason) })
  }
}

/** In a POSIX shell, single quotes keep everything literal except the quote itself. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"')}'`
}

function toLiteral(values: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(values).map(([name, value]) => `${/^\w+$/.test(name) ? name : quote(name)}: ${quote(value)}`).join(', ')} }`
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
