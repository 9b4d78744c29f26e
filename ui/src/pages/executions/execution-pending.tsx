import { useQuery } from '@tanstack/react-query'
import type { ExecutionDetail } from '../../../../schemas/index.ts'
import { tasksQuery } from '../../api/tasks.ts'
import { Part } from '../../components/executions/execution-part.tsx'
import { Countdown, Moment } from '../../components/elements/moment.tsx'
import { StatusMark } from '../../components/elements/status-mark.tsx'
import { pendingReasons } from '../../format/executions/pending.ts'
import { TaskPause } from '../workers/task-pause.tsx'
import { executionTexts } from '../../texts/executions.ts'

/** When it is due, and what it waits for, as far as that is known. */
export function ExecutionPending({ execution }: { execution: ExecutionDetail }) {
  const { data: tasks } = useQuery({ ...tasksQuery, staleTime: 10_000 })
  const reasons = pendingReasons(execution, tasks?.find(task => task.name === execution.task_name))
  return (
    <>
      <TaskPause taskName={execution.task_name} />
      {reasons.length > 0 && <Part title={executionTexts.waitsFor}>
        <ul className="reasons">
          {reasons.map(({ text, until, since, isTrouble }) => (
            <li key={text}>
              {isTrouble ? <StatusMark mark="warning" word={text} /> : text}
              {until !== null && <>: <Countdown at={until} />, <Moment at={until} as="clock" /></>}
              {since !== null && executionTexts.sinceThen(<Moment at={since} as="both" />)}
            </li>
          ))}
        </ul>
      </Part>}
    </>
  )
}
