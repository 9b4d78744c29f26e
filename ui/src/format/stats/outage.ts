import type { Health } from '../../../../schemas/index.ts'
import { capitalized } from '../executions/status.ts'

/** Why nothing works, from what the server says of its parts. */
export interface Outage {
  readonly headline: string
  /** What the server says of it; null when that is in the headline. */
  readonly detail: string | null
}

type Store = 'broker' | 'backend'

const NAMES: Record<Store, string> = { broker: 'broker', backend: 'result backend' }
/** The gravest first. What is said of a store and is none of these needs attention, but is no outage. */
const AILMENTS = [
  { said: /^cannot be reached\b/, words: 'out of reach', isWhole: true },
  { said: /\bdatabase ended\b/, words: 'lost', isWhole: false },
  { said: /\bread-only\b/, words: 'read-only', isWhole: false },
  { said: /\brefuses writes\b/, words: 'refusing writes', isWhole: false },
  { said: /\bdoes not answer writes\b/, words: 'not answering writes', isWhole: false },
  { said: /^reachable, but it refuses\b/, words: 'refusing requests', isWhole: false }
] as const

/** null when both stores work, as far as the server knows. */
export function toOutage({ status, components }: Health): Outage | null {
  if (!components.app.healthy) return { headline: 'The queue app is not running', detail: components.app.message }
  for (const { said, words, isWhole } of AILMENTS) {
    const stores = (['broker', 'backend'] as const).filter(store => !components[store].healthy && said.test(components[store].message))
    if (stores.length > 0) return { headline: `${subject(stores)} ${words}`, detail: isWhole ? null : components[stores[0]!].message }
  }
  // A newer server may have other words for what is just as bad.
  if (status !== 'unhealthy') return null
  const store = (['broker', 'backend'] as const).find(each => !components[each].healthy)
  return store === undefined ? null : { headline: `${subject([store])} not working`, detail: components[store].message }
}

function subject(stores: readonly Store[]): string {
  return capitalized(stores.map(store => NAMES[store]).join(' and '))
}
