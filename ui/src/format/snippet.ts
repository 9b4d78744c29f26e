export interface Call {
  readonly method: 'GET' | 'POST'
  /** Below the mount, for example `api/schedules/cron`. */
  readonly path: string
  readonly body?: unknown
}

export function toCurl(base: string, call: Call): string {
  const lines = [`curl${call.method === 'GET' ? '' : ` -X ${call.method}`} ${shellQuote(base + call.path)}`]
  if (call.body !== undefined) {
    lines.push("  -H 'content-type: application/json'", `  -d ${shellQuote(JSON.stringify(call.body))}`)
  }
  return lines.join(' \\\n')
}

export function toFetch(base: string, call: Call): string {
  const address = quote(base + call.path)
  if (call.body === undefined) return `const response = await fetch(${address})\nconst answer = await response.json()`
  return [
    `const response = await fetch(${address}, {`,
    `  method: ${quote(call.method)},`,
    "  headers: { 'content-type': 'application/json' },",
    `  body: JSON.stringify(${indent(JSON.stringify(call.body, null, 2))})`,
    '})',
    'const answer = await response.json()'
  ].join('\n')
}

export function toTypedClient(base: string, call: Call): string {
  return [
    "import { createTaskDashboardClient } from 'fastify-task-dashboard/client'",
    '',
    `const client = createTaskDashboardClient({ baseUrl: ${quote(base)} })`,
    `const { data, error } = await client.${call.method}(${quote(`/${call.path}`)}${call.body === undefined
      ? ''
      : `, {\n  body: ${indent(JSON.stringify(call.body, null, 2))}\n}`})`
  ].join('\n')
}

/** Single quotes take everything literally in a POSIX shell but the quote itself. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"')}'`
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
