import type { FailureGroup, FailureGroupPage } from '../../../schemas/failure.ts'
import { waitFor } from '../../support/wait-for.ts'
import { done, type Deputy, type Noun } from './noun.ts'
import type { Tasks } from './team.ts'

/** Failures with the same word form one group. All users act on the same group, which is brought back into its state each time. */
export function failures({ queueApp: { operations, monitoring }, fail }: Tasks, { read }: Deputy): Noun {
  const groups = new Map<string, string>()
  const groupOf = async (word: string): Promise<string> => {
    const known = groups.get(word)
    if (known !== undefined) return known
    const [id] = await fail(word)
    const { error_group: group } = await read<{ error_group: string }>(`executions/${id}`)
    groups.set(word, group)
    return group
  }
  const find = async (group: string): Promise<FailureGroup | undefined> =>
    (await read<FailureGroupPage>(`failures?error_group=${group}`)).items[0]
  const decided = (action: 'resolve' | 'reopen', note: string) => async (): Promise<string> => {
    const group = await groupOf(note)
    await operations[action === 'resolve' ? 'resolveFailureGroup' : 'reopenFailureGroup'](group, { note })
    return group
  }
  return {
    enter: {
      open: decided('reopen', 'networks'),
      resolved: decided('resolve', 'disks'),
      async regressed() {
        const group = await decided('resolve', 'printers')()
        await fail('printers')
        await waitFor('it to regress', async () => (await monitoring.failureGroups({ errorGroup: group })).groups[0]?.state === 'regressed')
        return group
      },
      'failed since it was read': decided('reopen', 'clocks'),
      unknown: async () => '0123456789abcdef'
    },
    standing: async group => await find(group) ?? null,
    writes: {
      'PUT /api/failures/:group/resolve': (group, state) => ({
        path: `/failures/${group}/resolve`,
        body: { note: 'mine', ...state === 'failed since it was read' && { if_last_seen_at: '2020-01-01T00:00:00.000Z' } }
      }),
      'PUT /api/failures/:group/reopen': group => ({ path: `/failures/${group}/reopen`, body: { note: 'mine' } })
    },
    expected: EXPECTED
  }
}

const decision = { note: 'mine', automatic: false }
const RESOLVED = done({ state: 'resolved', decision: { action: 'resolve', ...decision } })
const OPEN = done({ state: 'open', decision: { action: 'reopen', ...decision } })

const EXPECTED: Noun['expected'] = {
  'PUT /api/failures/:group/resolve': {
    open: RESOLVED, resolved: RESOLVED, regressed: RESOLVED, 'failed since it was read': 'FAILED_AGAIN', unknown: 'FAILURE_GROUP_NOT_FOUND'
  },
  'PUT /api/failures/:group/reopen': {
    open: OPEN, resolved: OPEN, regressed: OPEN, 'failed since it was read': OPEN, unknown: 'FAILURE_GROUP_NOT_FOUND'
  }
}
