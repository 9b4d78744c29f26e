import { exactJson } from './exact-json.ts'

/**
 * Reads arguments that a person sent, for a schedule or a single execution.
 * @returns their JSON, null if they have none, and every problem as text to follow the word `args`
 */
export function readSentArguments(args: unknown, { maxItems, maxBytes }: ArgumentLimits): SentArguments {
  const { json, problem } = toJson(args)
  return {
    json,
    problems: [
      !(Array.isArray(args) && args.length <= maxItems) && `must be an array of at most ${maxItems} items`,
      problem !== null && `must be plain JSON: ${problem}`,
      json !== null && Buffer.byteLength(json) > maxBytes && `must be at most ${maxBytes} bytes as JSON`
    ].filter(found => found !== false)
  }
}

interface SentArguments { readonly json: string | null; readonly problems: readonly string[] }
interface ArgumentLimits { readonly maxItems: number; readonly maxBytes: number }

function toJson(value: unknown): { readonly json: string | null; readonly problem: string | null } {
  try {
    return { json: Array.isArray(value) ? exactJson(value) : null, problem: null }
  } catch (error) {
    return { json: null, problem: error instanceof TypeError ? error.message : 'args cannot be written' }
  }
}
