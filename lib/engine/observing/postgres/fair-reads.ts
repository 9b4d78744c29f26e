import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import { SERVER_PATIENCE_MS } from '../../../time/budgets.ts'
import { DeadlineError, withDeadline } from '../../../time/deadline.ts'

type Read = ReadDatabase['read']

/** Shares the few connections to a database between its schemas. */
export interface FairReads {
  /** Reads one schema. A read that has to wait times out after the same time as one that was sent. */
  of(schema: string): Read
  /** Forgets schemas that are not read any more. */
  forget(isUsed: (schema: string) => boolean): void
}

/** How many reads are sent at once: as many as there are connections. More would wait in the order in which they came. */
const MAX_READS = 4
/** How many of them may be for one schema, if it responds. */
const MAX_READS_PER_SCHEMA = 3
/** How many may be for all schemas together that do not respond, such as locked ones. Each of these gets one at a time. */
const MAX_READS_OF_SILENT_SCHEMAS = 2
/** For how long after a timeout a schema counts as one that does not respond. Some of its tables may still do. */
const SILENT_FOR_MS = 2_000

interface Member {
  readonly waiting: Array<() => void>
  sent: number
  silentUntil: number
  /** When it was last served, as a counter. */
  turn: number
}

/**
 * A read of a locked table occupies a connection until it times out, so reads of several locked schemas could occupy all of them. Schemas
 * take turns, and the limits leave connections for those that respond. A single schema has no limits.
 */
export function createFairReads(read: Read): FairReads {
  const members = new Map<string, Member>()
  let turns = 0

  const isSilent = ({ silentUntil }: Member): boolean => performance.now() < silentUntil

  function mayBegin(member: Member): boolean {
    if (members.size === 1) return true
    let sent = 0
    let ofSilent = 0
    for (const each of members.values()) {
      sent += each.sent
      if (isSilent(each)) ofSilent += each.sent
    }
    if (sent >= MAX_READS) return false
    return isSilent(member) ? member.sent === 0 && ofSilent < MAX_READS_OF_SILENT_SCHEMAS : member.sent < MAX_READS_PER_SCHEMA
  }

  /** A schema with fewer reads begins first, and of several, the one that has waited longest for its turn. */
  function serve(): void {
    const waiting = [...members.values()].filter(member => member.waiting.length > 0)
    for (;;) {
      const [next] = waiting.filter(member => member.waiting.length > 0 && mayBegin(member))
        .sort((one, other) => one.sent - other.sent || one.turn - other.turn)
      if (next === undefined) return
      next.sent++
      next.turn = ++turns
      next.waiting.shift()!()
    }
  }

  function giveBack(member: Member): void {
    member.sent--
    serve()
  }

  async function take(member: Member): Promise<void> {
    let begin = (): void => {}
    const begun = new Promise<void>(resolve => { begin = resolve })
    member.waiting.push(begin)
    serve()
    try {
      await withDeadline(begun, SERVER_PATIENCE_MS, 'other reads did not end')
    } catch (error) {
      const at = member.waiting.indexOf(begin)
      // It may have got its turn at this very moment.
      if (at === -1) giveBack(member)
      else member.waiting.splice(at, 1)
      throw error
    }
  }

  return {
    of(schema) {
      const member = members.get(schema) ?? { waiting: [], sent: 0, silentUntil: -Infinity, turn: 0 }
      members.set(schema, member)
      return async <Row extends object>(text: string, parameters?: readonly unknown[]) => {
        await take(member)
        try {
          return await read<Row>(text, parameters)
        } catch (error) {
          if (error instanceof DeadlineError) member.silentUntil = performance.now() + SILENT_FOR_MS
          throw error
        } finally {
          giveBack(member)
        }
      }
    },
    forget(isUsed) {
      for (const [schema, { sent, waiting }] of members) if (!isUsed(schema) && sent + waiting.length === 0) members.delete(schema)
    }
  }
}
