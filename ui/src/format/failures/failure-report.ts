import type { ExecutionDetail, FailureGroup } from '../../../../schemas/index.ts'

interface Report {
  readonly group: FailureGroup
  /** Undefined if the last occurrence is no longer kept, or could not be loaded. */
  readonly last: ExecutionDetail | undefined
  /** RFC 3339: what the count covers; `from` null is all time. */
  readonly counted: { readonly from: string | null; readonly to: string }
  /** The full address of the page of the group. */
  readonly address: string
}

const MAX_TASKS = 10

/** A failure group for an issue or a chat, as Markdown. Text from outside stays plain text: it is fenced, or between backticks. */
export function toMarkdown({ group, last, counted, address }: Report): string {
  const tasks = group.tasks.slice(0, MAX_TASKS).map(task => `${code(task.name)} (${task.count})`)
  const hidden = group.tasks.length - tasks.length
  const lines = [
    `### ${code(group.type)} in ${group.tasks[0] ? code(group.tasks[0].name) : 'a task'}`,
    '',
    fence(group.message),
    '',
    `- Failures: ${group.count}, ${counted.from === null ? `all until ${counted.to}` : `from ${counted.from} to ${counted.to}`}`,
    `- First seen: ${group.first_seen_at}`,
    `- Last seen: ${group.last_seen_at}, execution ${code(group.last_execution_id)}`,
    `- Tasks, each over all time: ${tasks.join(', ')}${hidden > 0 ? `, and ${hidden} more` : ''}`,
    ...(group.frame === null ? [] : [`- Where: ${code(group.frame)}`]),
    `- ${address}`
  ]
  const stack = last?.error?.stack
  if (stack) lines.push('', 'Stack of the last failure:', '', fence(stack))
  return `${lines.join('\n')}\n`
}

/** A text as inline code on one line, between more backticks than it has in a row. */
function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const marks = '`'.repeat(longestRun(line) + 1)
  const isPadded = line.startsWith('`') || line.endsWith('`')
  return isPadded ? `${marks} ${line} ${marks}` : `${marks}${line}${marks}`
}

function fence(text: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${marks}\n${text.trimEnd()}\n${marks}`
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}
