import type { ExecutionAttempt, ExecutionDetail } from '../../execution.ts'
import { mergeAttempts, withoutMarks } from './attempts.ts'
import { LIMITS, cutAttempt, cutFailure, cutJson, cutLogs, failureCuts, RESULT_CUT } from './limits.ts'

/**
 * Applies the history's limits to an execution read from the broker, so that it looks the same before and after it is recorded. There are
 * two exceptions. Progress has its own limit while the execution runs. The history may keep longer arguments of a failed execution.
 * @param recorded attempts that are already in the history
 */
export function toShownDetail(execution: ExecutionDetail, recorded: readonly ExecutionAttempt[]): ExecutionDetail {
  const args = execution.args === null ? null : cutJson(execution.args, LIMITS.argsBytes, preview => [preview])
  const result = cutJson(execution.result, LIMITS.resultBytes)
  const { logs, cut: areLogsCut } = cutLogs(execution.logs)
  const error = execution.error && cutFailure(execution.error)
  const merged = mergeAttempts(execution.attempts.map(cutAttempt), recorded)
  const { attempts, pointers } = withoutMarks(merged.slice(-LIMITS.attempts))
  const cuts = [
    args?.cut === true && '/args', result.cut && '/result', areLogsCut && '/logs', ...failureCuts(execution.error, error),
    merged.length > LIMITS.attempts && '/attempts', ...pointers
  ]
  return {
    ...execution,
    args: args?.cut ? JSON.parse(args.json) as unknown[] : execution.args,
    result: result.cut ? JSON.parse(result.json) as unknown : execution.result,
    error,
    attempts,
    logs,
    truncated: [...execution.truncated, ...cuts.filter(cut => cut !== false)],
    ...(result.cut && { resultProblem: RESULT_CUT })
  }
}
