import t from 'tap'
import { errorGroupOf } from '../../../lib/backend/fingerprint/fingerprint.ts'
import { normalizeMessage } from '../../../lib/backend/fingerprint/normalize-message.ts'
import { KNOWN_CAUSES, type Cause } from './failure-corpus/known-causes.ts'
import { LATE_CAUSES } from './failure-corpus/late-causes.ts'
import { createRandomText } from './failure-corpus/random-text.ts'
import { RELAYED_CAUSES } from './failure-corpus/relayed-causes.ts'
import { createRelayedText } from './failure-corpus/relayed-text.ts'
import { UNSEEN_CAUSES } from './failure-corpus/unseen-causes.ts'

const OCCURRENCES = 100
const RELAYED_OCCURRENCES = 200
/** The goal: on average at most one cause in five splits into two groups. */
const MAX_GROUPS_PER_CAUSE = 1.2
const SEEDS = [1, 2_000, 30_000]

for (const [name, causes] of [['known', KNOWN_CAUSES], ['unseen', UNSEEN_CAUSES]] as const) {
  for (const seed of SEEDS) {
    t.test(`${name} causes make few groups each, and no group mixes two causes (seed ${seed})`, t => {
      const { groups, shared } = grouped(causes, seed)
      const split = groups.map(own => [
        own.size, [...own.values()].slice(0, 6)
      ] as const).filter(([size]) => size > 1).sort(([a], [b]) => b - a)
      const groupsPerCause = groups.reduce((sum, { size }) => sum + size, 0) / causes.length
      t.ok(causes.length >= 60, 'a corpus of 60 causes')
      t.ok(
        groupsPerCause <= MAX_GROUPS_PER_CAUSE,
        `${groupsPerCause.toFixed(2)} groups a cause of seed ${seed}: ${JSON.stringify(split.slice(0, 10), null, 1)}`
      )
      t.strictSame(shared, [], `seed ${seed}`)
      t.end()
    })
  }
}

for (const [name, causes, seed] of [['relayed', RELAYED_CAUSES, 20_261_122], ['late', LATE_CAUSES, 5_551_212]] as const) {
  t.test(`${name} causes make few groups each, and no group mixes two causes`, t => {
    const text = createRelayedText(seed)
    const owners = new Map<string, Set<number>>()
    const groups = causes.map(([type, message], cause) => {
      const own = new Map<string, string>()
      for (let i = 0; i < RELAYED_OCCURRENCES; i++) {
        const said = message(text)
        const group = errorGroupOf({ type, message: said, stack: null })
        if (own.has(group)) continue
        own.set(group, said)
        owners.set(group, (owners.get(group) ?? new Set()).add(cause))
      }
      return own
    })
    const groupsPerCause = groups.reduce((sum, { size }) => sum + size, 0) / causes.length
    const split = groups.filter(({ size }) => size > 1).map(own => [...own.values()].slice(0, 4))
    t.ok(groupsPerCause <= MAX_GROUPS_PER_CAUSE, `${groupsPerCause.toFixed(2)} groups a cause: ${JSON.stringify(split, null, 1)}`)
    t.strictSame([...owners.values()].filter(({ size }) => size > 1).map(shared => [...shared].map(cause => causes[cause]![1](text))), [])
    t.end()
  })
}

/** For each cause its groups, each with a normalized message; `shared` has the messages of groups that mix two causes. */
function grouped(causes: readonly Cause[], seed: number): { groups: Array<Map<string, string>>, shared: string[] } {
  const owners = new Map<string, Cause>()
  const shared = new Set<string>()
  const groups = causes.map((cause, index) => {
    const random = createRandomText(seed + index)
    const own = new Map<string, string>()
    for (let i = 0; i < OCCURRENCES; i++) {
      const message = cause.message(random)
      const group = errorGroupOf({ type: cause.type, message, stack: null })
      if (own.has(group)) continue
      own.set(group, normalizeMessage(message))
      if ((owners.get(group) ?? cause) !== cause) shared.add(normalizeMessage(message))
      owners.set(group, cause)
    }
    return own
  })
  return { groups, shared: [...shared] }
}
