import type { Health } from '../../../../schemas/index.ts'
import { statsTexts } from '../../texts/stats.ts'

/** Why nothing works, according to the server's report about its parts. */
export interface Outage {
  readonly headline: string
  /** The server's message; null if the headline already says it. */
  readonly detail: string | null
}

type Store = 'broker' | 'backend'

/** The most serious first. Any other message about a store needs attention, but is not an outage. */
const AILMENTS = [
  { said: /^cannot be reached\b/, words: 'unreachable', isWhole: true },
  { said: /\bdatabase ended\b/, words: 'lost', isWhole: false },
  { said: /\bread-only\b/, words: 'readOnly', isWhole: false },
  { said: /\brefuses writes\b/, words: 'refusesWrites', isWhole: false },
  { said: /\bdoes not answer writes\b/, words: 'silent', isWhole: false },
  { said: /^reachable, but it refuses\b/, words: 'refuses', isWhole: false }
] as const

/** null when both stores work, as far as the server knows. */
export function toOutage({ status, components }: Health): Outage | null {
  if (!components.app.healthy) return { headline: statsTexts.appNotRunning, detail: components.app.message }
  for (const { said, words, isWhole } of AILMENTS) {
    const stores = (['broker', 'backend'] as const).filter(store => !components[store].healthy && said.test(components[store].message))
    if (stores.length > 0)
      return { headline: `${subject(stores)} ${statsTexts.ailments[words]}`, detail: isWhole ? null : components[stores[0]!].message }
  }
  // A newer server may describe an outage in other words.
  if (status !== 'unhealthy') return null
  const store = (['broker', 'backend'] as const).find(each => !components[each].healthy)
  return store === undefined ? null : { headline: `${subject([store])} ${statsTexts.ailments.other}`, detail: components[store].message }
}

function subject(stores: readonly Store[]): string {
  return statsTexts.stores[stores.length > 1 ? 'both' : stores[0]!]
}
