import { v7 as uuid } from 'uuid'
import { createTaskDashboardError } from '../../lib/errors.ts'
import type { AuditEntry } from '../../lib/queue-app/audit/audit-entry.ts'
import type { Monitoring } from '../../lib/queue-app/monitoring/monitoring.ts'
import type { Operations } from '../../lib/queue-app/operations/operations.ts'

const MAX_AUDITED = 200

/** Keeps an audit log like the queue app, but in this object. Limited, so that thousands of calls stay fast. */
export function sampleAudit(): { readonly log: Operations['audit']; readonly list: Monitoring['auditEntries'] } {
  const entries: AuditEntry[] = []
  const log: Operations['audit'] = {
    async begin(write) {
      const entryId = uuid()
      entries.splice(MAX_AUDITED)
      entries.unshift({
        ...write, entryId, at: Date.now(), outcome: 'in_progress', status: null, code: null, after: null, truncated: [],
        madeExecutionId: null, notListed: 0
      })
      return entryId
    },
    async settle(entryId, { outcome, status, code, after, resource }) {
      const index = entries.findIndex(entry => entry.entryId === entryId)
      const { resource: named, ...entry } = entries[index]!
      entries[index] = {
        ...entry, outcome, status, code, after, resource: { ...resource, ...named }, madeExecutionId: resource?.executionId ?? null
      }
    },
    async refuse(write, outcome) {
      await log.settle(await log.begin(write), { ...outcome, after: null })
    }
  }
  return {
    log,
    async list({ cursor, limit = 50, actor, action, outcome }) {
      if (cursor !== undefined) throw createTaskDashboardError('INVALID_CURSOR')
      const found = entries.filter(entry => (actor === undefined || entry.actor === actor) &&
        (action === undefined || entry.action === action) && (outcome === undefined || entry.outcome === outcome))
      return { entries: found.slice(0, limit), nextCursor: null, complete: true, kept: { maxAgeMs: 9e8, maxCount: 1000 } }
    }
  }
}

/** Keeps answers like the queue app, but in this object. */
export function sampleAnswers(): Operations['answers'] {
  const kept = new Map<string, { readonly fingerprint: string; readonly operationId: string; isHeld: boolean; answer: string | null }>()
  return {
    async claim(key, fingerprint) {
      const known = kept.get(key)
      if (known && known.fingerprint !== fingerprint) return { state: 'other' }
      if (known && known.answer !== null) return { state: 'answered', answer: known.answer }
      if (known?.isHeld) return { state: 'busy' }
      const entry = known ?? { fingerprint, operationId: uuid(), isHeld: true, answer: null }
      entry.isHeld = true
      kept.set(key, entry)
      return {
        state: 'claimed', operationId: entry.operationId, isRepeated: known !== undefined,
        async save(answer) { entry.answer = answer },
        async abandon() { entry.isHeld = false }
      }
    }
  }
}

/** Jobs of observed queues, with hostile texts in every field. */
export function sampleJobOf(executionIds: readonly string[], at: number): Monitoring['jobOf'] {
  return async executionId => executionIds.includes(executionId)
    ? {
      taskName: 'email:send',
      facts: {
        taskName: 'email:send', jobName: '<b>', childrenLeft: 1,
        parent: {
          key: 'bull:</script>:1', taskName: 'email:send', executionId: 'a/b', jobName: '<i>', status: 'unfinished', isRemoved: false
        },
        children: [{ key: 'x'.repeat(300), taskName: null, executionId: null, jobName: null, status: null, isRemoved: false }],
        deduplication: { id: '"'.repeat(1_000), isHeld: true, heldUntil: at },
        trace: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
      }
    }
    : null
}
