import type { ReadDatabase } from '../../../stores/postgres/observing/read-database.ts'
import { SERVER_PATIENCE_MS } from '../../../time/budgets.ts'
import { DeadlineError, withDeadline } from '../../../time/deadline.ts'

/**
 * Limits how many reads of one schema are sent at once. All schemas of a database share a few connections, and each read of a locked table
 * occupies one until it times out. A read that has to wait times out after the same time as one that was sent.
 * @param mostAtOnce how many reads may be sent at once; `isSilent`: the last read that ended has timed out
 */
export function createFairRead(read: ReadDatabase['read'], mostAtOnce: (isSilent: boolean) => number): ReadDatabase['read'] {
  const waiting: Array<() => void> = []
  let sent = 0
  let isSilent = false
  const hasRoom = (): boolean => sent < mostAtOnce(isSilent)

  async function take(): Promise<void> {
    if (waiting.length === 0 && hasRoom()) return void sent++
    let begin = (): void => {}
    const begun = new Promise<void>(resolve => { begin = resolve })
    waiting.push(begin)
    try {
      await withDeadline(begun, SERVER_PATIENCE_MS, 'other reads of the same schema did not end')
    } catch (error) {
      const at = waiting.indexOf(begin)
      // It may have got its turn at this very moment.
      if (at === -1) giveBack()
      else waiting.splice(at, 1)
      throw error
    }
  }

  function giveBack(): void {
    sent--
    while (waiting.length > 0 && hasRoom()) {
      sent++
      waiting.shift()!()
    }
  }

  return async <Row extends object>(text: string, parameters?: readonly unknown[]) => {
    await take()
    try {
      const rows = await read<Row>(text, parameters)
      isSilent = false
      return rows
    } catch (error) {
      isSilent = error instanceof DeadlineError
      throw error
    } finally {
      giveBack()
    }
  }
}
